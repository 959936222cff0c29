package io.github.penstock.compat.plain;

import io.github.penstock.testkit.resp.RedisUrl;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A connection that speaks as much RESP2 as the scripts need. For one thread at a time. */
final class PlainSocket {
  private final Socket socket = new Socket();
  private final InputStream in;
  private final OutputStream out;

  PlainSocket(RedisUrl url, long deadlineNanos) throws IOException {
    try {
      socket.setTcpNoDelay(true);
      socket.connect(new InetSocketAddress(url.host(), url.port()), millisLeft(deadlineNanos));
      in = new BufferedInputStream(socket.getInputStream());
      out = new BufferedOutputStream(socket.getOutputStream());
      if (url.password() != null) {
        String user = url.user() == null ? "default" : url.user();
        expectDone(List.of("AUTH", user, url.password()), deadlineNanos);
      }
      if (url.database() != 0) {
        expectDone(List.of("SELECT", Integer.toString(url.database())), deadlineNanos);
      }
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  private void expectDone(List<Object> command, long deadlineNanos) throws IOException {
    write(List.of(command));
    if (read(deadlineNanos) instanceof PlainError refused) {
      throw refused;
    }
  }

  /** Sends commands of texts and bytes with one flush. */
  void write(List<List<Object>> commands) throws IOException {
    for (List<Object> command : commands) {
      line("*" + command.size());
      for (Object part : command) {
        byte[] bytes = part instanceof byte[] raw ? raw : utf8(part.toString());
        line("$" + bytes.length);
        out.write(bytes);
        line("");
      }
    }
    out.flush();
  }

  /** Reads an answer; an IOException if it is not there in time. */
  @Nullable Object read(long deadlineNanos) throws IOException {
    socket.setSoTimeout(millisLeft(deadlineNanos));
    String line = line();
    String rest = line.substring(1);
    return switch (line.charAt(0)) {
      case '+' -> rest;
      case '-' -> new PlainError(rest);
      case ':' -> Long.valueOf(rest);
      case '$' -> bulk(Integer.parseInt(rest));
      case '*' -> list(Integer.parseInt(rest), deadlineNanos);
      default -> throw new IOException("an answer of unknown type: " + line);
    };
  }

  private @Nullable String bulk(int length) throws IOException {
    if (length < 0) {
      return null;
    }
    byte[] bytes = in.readNBytes(length + 2);
    return new String(bytes, 0, length, StandardCharsets.UTF_8);
  }

  private List<@Nullable Object> list(int length, long deadlineNanos) throws IOException {
    List<@Nullable Object> items = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      items.add(read(deadlineNanos));
    }
    return items;
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next != '\r'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("the server closed the connection");
      }
      line.append((char) next);
    }
    if (in.read() != '\n' || line.isEmpty()) {
      throw new IOException("an answer that is none: " + line);
    }
    return line.toString();
  }

  private void line(String text) throws IOException {
    out.write(utf8(text + "\r\n"));
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static int millisLeft(long deadlineNanos) throws SocketTimeoutException {
    long millis = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
    if (millis <= 0) {
      throw new SocketTimeoutException("the deadline has passed");
    }
    return (int) millis;
  }

  boolean isOpen() {
    return !socket.isClosed();
  }

  void close() {
    try {
      socket.close();
    } catch (IOException gone) {
      return;
    }
  }
}
