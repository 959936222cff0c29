package io.github.penstock.lua.maven.output;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import redis.embedded.RedisServer;

/** A real Redis on a free port, and one connection to it. */
final class RealServer implements AutoCloseable {
  private static final int ATTEMPTS = 5;
  private final RedisServer server;
  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;

  RealServer() throws IOException {
    server = start();
    socket = new Socket("127.0.0.1", server.ports().get(0));
    in = new BufferedInputStream(socket.getInputStream());
    out = socket.getOutputStream();
  }

  /* Somebody else may take the port meanwhile. */
  private static RedisServer start() throws IOException {
    for (int attempt = 1; true; attempt++) {
      RedisServer server = RedisServer.builder().port(freePort()).setting("save \"\"").build();
      try {
        server.start();
        return server;
      } catch (RuntimeException taken) {
        if (attempt == ATTEMPTS) {
          throw taken;
        }
      }
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket probe = new ServerSocket(0)) {
      return probe.getLocalPort();
    }
  }

  /**
   * Sends a command: a number becomes a Long, a list a List, an error an IllegalStateException with
   * its text.
   */
  Object call(String... words) throws IOException {
    StringBuilder command = new StringBuilder("*" + words.length + "\r\n");
    for (String word : words) {
      command.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
    }
    out.write(command.toString().getBytes(StandardCharsets.ISO_8859_1));
    out.flush();
    return reply();
  }

  private Object reply() throws IOException {
    String line = line();
    String rest = line.substring(1);
    return switch (line.charAt(0)) {
      case '+' -> rest;
      case '-' -> throw new IllegalStateException(rest);
      case ':' -> Long.valueOf(rest);
      case '$' -> rest.equals("-1") ? "" : text(Integer.parseInt(rest));
      default -> list(Integer.parseInt(rest));
    };
  }

  private List<Object> list(int size) throws IOException {
    List<Object> items = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      items.add(reply());
    }
    return items;
  }

  private String text(int length) throws IOException {
    String text = new String(in.readNBytes(length), StandardCharsets.ISO_8859_1);
    line();
    return text;
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\r'; c = in.read()) {
      if (c < 0) {
        throw new IOException("the server closed the connection");
      }
      line.append((char) c);
    }
    in.read();
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    socket.close();
    server.stop();
  }
}
