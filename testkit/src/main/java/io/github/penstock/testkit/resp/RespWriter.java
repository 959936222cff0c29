package io.github.penstock.testkit.resp;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Writes commands as arrays of bulk strings. */
final class RespWriter {
  private final OutputStream out;

  RespWriter(OutputStream out) {
    this.out = out;
  }

  void write(String... command) throws IOException {
    writeLength('*', command.length);
    for (String argument : command) {
      byte[] bytes = argument.getBytes(StandardCharsets.UTF_8);
      writeLength('$', bytes.length);
      out.write(bytes);
      out.write('\r');
      out.write('\n');
    }
  }

  private void writeLength(char type, int length) throws IOException {
    out.write((type + Integer.toString(length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
  }

  void flush() throws IOException {
    out.flush();
  }
}
