package io.github.penstock.benchmarks.compare.log;

import io.github.penstock.benchmarks.Complaint;
import java.io.BufferedInputStream;
import java.io.FileInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.zip.GZIPInputStream;

/** Opens a log: a file or standard input, unpacked if it begins as gzip does. */
final class LogInput {
  private static final int BUFFER = 1 << 16;
  private static final int MAGIC = 4;
  private static final Map<String, String> PACKED =
      Map.of(
          "28b52ffd", "zstd -dc",
          "425a68", "bzip2 -dc",
          "fd377a58", "xz -dc",
          "504b0304", "unzip -p",
          "04224d18", "lz4 -dc");

  private LogInput() {}

  /**
   * The bytes of a log, unpacked.
   *
   * @param read hears how many bytes of the file were read, again and again
   */
  static InputStream open(String file, LongConsumer read) throws IOException {
    // A pipe has a name, too, <(zcat ...); the streams of Files want to know where in it they are.
    InputStream raw =
        file.equals(LogOptions.STDIN) ? System.in : new FileInputStream(Path.of(file).toFile());
    BufferedInputStream bytes = new BufferedInputStream(new Counted(raw, read), BUFFER);
    String magic = magic(bytes);
    PACKED.forEach((begin, command) -> refuse(file, magic, begin, command));
    if (magic.startsWith("1f8b")) {
      return new BufferedInputStream(new GZIPInputStream(new NeverAtItsEnd(bytes), BUFFER), BUFFER);
    }
    return bytes;
  }

  private static void refuse(String file, String magic, String begin, String command) {
    if (magic.startsWith(begin)) {
      throw new Complaint(
          "--log "
              + file
              + " is packed: unpack it on the way, "
              + command
              + " FILE | ./penstock compare --log -");
    }
  }

  private static String magic(BufferedInputStream bytes) throws IOException {
    bytes.mark(MAGIC);
    byte[] begin = bytes.readNBytes(MAGIC);
    bytes.reset();
    return HexFormat.of().formatHex(begin);
  }

  /** Tells how much was read. */
  private static final class Counted extends FilterInputStream {
    private final LongConsumer read;
    private long count;

    Counted(InputStream in, LongConsumer read) {
      super(in);
      this.read = read;
    }

    @Override
    public int read() throws IOException {
      int value = in.read();
      told(value < 0 ? 0 : 1);
      return value;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
      int number = in.read(bytes, from, length);
      told(Math.max(0, number));
      return number;
    }

    private void told(int more) {
      count += more;
      read.accept(count);
    }
  }

  /* GZIPInputStream looks for another member only where something is said to be available. */
  private static final class NeverAtItsEnd extends FilterInputStream {
    NeverAtItsEnd(InputStream in) {
      super(in);
    }

    @Override
    public int available() {
      return 1;
    }
  }
}
