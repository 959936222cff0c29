package io.github.penstock.testkit.resp;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.apache.commons.io.IOUtils;
import org.jspecify.annotations.Nullable;

/**
 * One connection to a server, in RESP2 or RESP3, with pipelining: several {@link #send}, then as
 * many {@link #receive}.
 *
 * <p>Texts are UTF-8 both ways. Connecting and every read end within the time-out. After an
 * UncheckedIOException the connection is of no more use and must be closed. Not safe for use by
 * several threads.
 */
public final class RespConnection implements CommandSender, Closeable {
  private final Socket socket;
  private final RespReader in;
  private final OutputStream out;

  private RespConnection(Socket socket) throws IOException {
    this.socket = socket;
    this.in = new RespReader(new BufferedInputStream(socket.getInputStream()));
    this.out = new BufferedOutputStream(socket.getOutputStream(), 1 << 16);
  }

  /** Connects in RESP2. */
  public static RespConnection open(RedisUrl url, Duration timeout) {
    return open(url, RespVersion.RESP2, timeout);
  }

  /**
   * Connects, signs in and selects the database of the URL.
   *
   * @throws UncheckedIOException if the server cannot be reached in time; its cause is a {@link
   *     ProtocolException} with the server's words if that refuses
   */
  public static RespConnection open(RedisUrl url, RespVersion version, Duration timeout) {
    Socket socket = new Socket();
    long deadlineNanos = System.nanoTime() + timeout.toNanos();
    try {
      socket.setTcpNoDelay(true);
      socket.connect(new InetSocketAddress(url.host(), url.port()), millis(timeout));
      RespConnection connection = new RespConnection(socket);
      connection.greet(url, version, deadlineNanos);
      connection.awaitAtMost(timeout);
      return connection;
    } catch (IOException | UncheckedIOException failure) {
      IOUtils.closeQuietly(socket);
      throw new UncheckedIOException(
          "no connection to " + url.host() + ":" + url.port() + ": " + failure.getMessage(),
          failure instanceof UncheckedIOException wrapped
              ? wrapped.getCause()
              : (IOException) failure);
    }
  }

  private void greet(RedisUrl url, RespVersion version, long deadlineNanos) throws IOException {
    if (url.password() != null) {
      String user = url.user() == null ? "default" : url.user();
      expectDone(deadlineNanos, "AUTH", user, url.password());
    }
    if (version == RespVersion.RESP3) {
      expectDone(deadlineNanos, "HELLO", "3");
    }
    if (url.database() != 0) {
      expectDone(deadlineNanos, "SELECT", Integer.toString(url.database()));
    }
  }

  private void expectDone(long deadlineNanos, String... command) throws IOException {
    awaitAtMost(Duration.ofNanos(deadlineNanos - System.nanoTime()));
    if (call(command) instanceof RespError error) {
      throw new ProtocolException(error.text());
    }
  }

  /**
   * Waits for each further answer for at most this long.
   *
   * @throws UncheckedIOException if that is less than a millisecond: the time is up
   */
  public void awaitAtMost(Duration timeout) {
    try {
      socket.setSoTimeout(millis(timeout));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /* 0 would be for ever. */
  private static int millis(Duration timeout) throws SocketTimeoutException {
    if (timeout.toMillis() < 1) {
      throw new SocketTimeoutException("the deadline has passed");
    }
    return Math.toIntExact(timeout.toMillis());
  }

  /** Sends one command and receives its answer. */
  @Override
  public @Nullable Object call(String... command) {
    send(command);
    return receive();
  }

  /** Puts a command into the buffer; {@link #flush} and {@link #receive} send it. */
  public void send(String... command) {
    try {
      line("*" + command.length);
      for (String argument : command) {
        byte[] bytes = argument.getBytes(StandardCharsets.UTF_8);
        line("$" + bytes.length);
        out.write(bytes);
        line("");
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private void line(String text) throws IOException {
    out.write((text + "\r\n").getBytes(StandardCharsets.US_ASCII));
  }

  /** Sends the content of the buffer. */
  public void flush() {
    try {
      out.flush();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** The answer to the oldest command that has none yet. */
  public @Nullable Object receive() {
    flush();
    try {
      return in.read();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  @Override
  public void close() {
    IOUtils.closeQuietly(socket);
  }
}
