package io.github.penstock.testkit.fault;

import io.github.penstock.testkit.resp.RespReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import org.apache.commons.io.input.TeeInputStream;

/**
 * Cuts a stream of RESP2 or RESP3 into whole values, without changing a byte. Not safe for use by
 * several threads.
 */
final class RespFrames {
  private static final Set<String> SCRIPT_CALLS =
      Set.of("EVALSHA", "EVAL", "FCALL", "EVALSHA_RO", "EVAL_RO", "FCALL_RO");

  private final ByteArrayOutputStream frame = new ByteArrayOutputStream();
  private final RespReader reader;

  RespFrames(InputStream in) {
    reader = new RespReader(new TeeInputStream(in, frame));
  }

  /** The bytes of the next value; an EOFException at the end of the stream. */
  byte[] next() throws IOException {
    frame.reset();
    reader.read();
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

  /** True if that command has one key and a cost of 0. */
  static boolean isPeek(byte[] request) {
    String[] lines = new String(request, StandardCharsets.ISO_8859_1).split("\r\n", 12);
    return lines.length > 10 && lines[6].equals("1") && lines[10].equals("0");
  }
}
