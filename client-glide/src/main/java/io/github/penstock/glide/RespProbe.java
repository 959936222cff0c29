package io.github.penstock.glide;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * Probes whether a listener at an address speaks RESP: for a connection that ends during the
 * handshake, GLIDE does not report whether any data arrived. Immutable.
 *
 * @param host of the server
 * @param port of the server
 * @param millis how long connecting and an answer may take, each
 */
record RespProbe(String host, int port, int millis) {
  private static final byte[] PING = "*1\r\n$4\r\nPING\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final String TYPES = "+-:$*_,#!=(%~|>";

  /** Returns whether data other than RESP arrived; false if none arrived. */
  boolean isForeign() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(host, port), millis);
      socket.setSoTimeout(millis);
      socket.getOutputStream().write(PING);
      int first = socket.getInputStream().read();
      return first >= 0 && TYPES.indexOf(first) < 0;
    } catch (IOException e) {
      return false;
    }
  }
}
