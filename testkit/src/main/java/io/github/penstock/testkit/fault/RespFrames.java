package io.github.penstock.testkit.fault;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;

/**
 * Cuts a stream of RESP2 or RESP3 into whole values, without changing a byte. Not safe for use by
 * several threads.
 */
final class RespFrames {
  private static final Set<String> SCRIPT_CALLS =
      Set.of("EVALSHA", "EVAL", "FCALL", "EVALSHA_RO", "EVAL_RO", "FCALL_RO");

  private final InputStream in;
  private ByteArrayOutputStream frame = new ByteArrayOutputStream();

  RespFrames(InputStream in) {
    this.in = in;
  }

  /** The bytes of the next value; an EOFException at the end of the stream. */
  byte[] next() throws IOException {
    frame = new ByteArrayOutputStream();
    value();
    return frame.toByteArray();
  }

  /** True if the value was sent without a request for it. */
  static boolean isPush(byte[] reply) {
    return reply[0] == '>';
  }

  /** True if the value is a command that runs a script or a function. */
  static boolean isScriptCall(byte[] request) {
    String start =
        new String(request, 0, Math.min(request.length, 40), StandardCharsets.ISO_8859_1);
    String[] lines = start.split("\r\n", 4);
    return lines.length > 2 && SCRIPT_CALLS.contains(lines[2].toUpperCase(Locale.ROOT));
  }

  private void value() throws IOException {
    String line = line();
    switch (line.isEmpty() ? ' ' : line.charAt(0)) {
      case '$', '=', '!' -> bulk(Integer.parseInt(line.substring(1)));
      case '*', '~', '>' -> values(Integer.parseInt(line.substring(1)));
      case '%' -> values(2 * Integer.parseInt(line.substring(1)));
      case '|' -> values(2 * Integer.parseInt(line.substring(1)) + 1);
      default -> {
        return;
      }
    }
  }

  private void values(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      value();
    }
  }

  private void bulk(int length) throws IOException {
    if (length >= 0) {
      byte[] bytes = in.readNBytes(length + 2);
      if (bytes.length < length + 2) {
        throw new EOFException("the connection was closed within a value");
      }
      frame.write(bytes);
    }
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    int last = -1;
    for (int next = in.read(); next >= 0; next = in.read()) {
      frame.write(next);
      if (last == '\r' && next == '\n') {
        line.setLength(line.length() - 1);
        return line.toString();
      }
      line.append((char) next);
      last = next;
    }
    throw new EOFException("the connection was closed");
  }
}
