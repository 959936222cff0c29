package io.github.penstock.testkit.resp;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One connection to a server, in RESP2 or RESP3, with pipelining: several {@link #send}, then as
 * many {@link #receive}.
 *
 * <p>Texts are UTF-8 both ways. Connecting and every read end after the time-out. After an
 * UncheckedIOException the connection is of no more use and must be closed. Not safe for use by
 * several threads.
 */
public final class RespConnection implements CommandSender, Closeable {
  private final Socket socket;
  private final RespReader in;
  private final RespWriter out;

  private RespConnection(Socket socket) throws IOException {
    this.socket = socket;
    this.in = new RespReader(new BufferedInputStream(socket.getInputStream()));
    this.out = new RespWriter(new BufferedOutputStream(socket.getOutputStream(), 1 << 16));
  }

  /** Connects in RESP2. */
  public static RespConnection open(RedisUrl url, Duration timeout) {
    return open(url, RespVersion.RESP2, timeout);
  }

  /**
   * Connects, signs in and selects the database of the URL.
   *
   * @throws UncheckedIOException if the server cannot be reached in time, or refuses
   */
  public static RespConnection open(RedisUrl url, RespVersion version, Duration timeout) {
    Socket socket = new Socket();
    try {
      int millis = Math.toIntExact(timeout.toMillis());
      socket.setTcpNoDelay(true);
      socket.connect(new InetSocketAddress(url.host(), url.port()), millis);
      socket.setSoTimeout(millis);
      RespConnection connection = new RespConnection(socket);
      connection.greet(url, version);
      return connection;
    } catch (IOException | UncheckedIOException failure) {
      closeQuietly(socket);
      throw new UncheckedIOException(
          "no connection to " + url.host() + ":" + url.port() + ": " + failure.getMessage(),
          failure instanceof UncheckedIOException wrapped
              ? wrapped.getCause()
              : (IOException) failure);
    }
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException ignored) {
      return;
    }
  }

  private void greet(RedisUrl url, RespVersion version) throws IOException {
    if (url.password() != null) {
      List<String> auth = new ArrayList<>(List.of("AUTH"));
      if (url.user() != null) {
        auth.add(url.user());
      }
      auth.add(url.password());
      expectDone(call(auth.toArray(String[]::new)));
    }
    if (version == RespVersion.RESP3) {
      expectDone(call("HELLO", "3"));
    }
    if (url.database() != 0) {
      expectDone(call("SELECT", Integer.toString(url.database())));
    }
  }

  private static void expectDone(@Nullable Object answer) throws IOException {
    if (answer instanceof RespError error) {
      throw new IOException(error.text());
    }
  }

  /** Waits for each further answer for at most this long. */
  public void awaitAtMost(Duration timeout) {
    try {
      socket.setSoTimeout(Math.toIntExact(timeout.toMillis()));
    } catch (SocketException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Sends one command and receives its answer. */
  @Override
  public @Nullable Object call(String... command) {
    send(command);
    return receive();
  }

  /** Puts a command into the buffer; {@link #receive} flushes it. */
  public void send(String... command) {
    try {
      out.write(command);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** The answer to the oldest command that has none yet. */
  public @Nullable Object receive() {
    try {
      out.flush();
      return in.read();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  @Override
  public void close() {
    closeQuietly(socket);
  }
}
