package io.github.penstock.simulator.log;

import io.github.penstock.report.console.UserErrorException;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FileInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** Opens a log: a file or standard input, unpacked if it begins as gzip does. */
final class LogInput {
  private static final int BUFFER = 1 << 16;
  private static final int MAGIC = 4;
  /* The magic of a tar archive, and where it stands. */
  private static final String TAR = "ustar";
  private static final int TAR_AT = 257;
  private static final long FREE_BYTES = 1 << 24;
  private static final long MOST_EXPANSION = 300;
  private static final Map<String, String> PACKED =
      Map.of(
          "28b52ffd", "zstd -dc",
          "425a68", "bzip2 -dc",
          "fd377a58", "xz -dc",
          "377abcaf", "7z x -so",
          "52617221", "unrar p -inul",
          "1f9d", "uncompress -c",
          "504b0304", "unzip -p",
          "04224d18", "lz4 -dc");

  private LogInput() {}

  /**
   * The bytes of a log, unpacked.
   *
   * @param read hears how many bytes more of the file were read, again and again
   */
  static InputStream open(String file, LongConsumer read) throws IOException {
    // A pipe has a name, too, <(zcat ...); the streams of Files want to know where in it they are.
    InputStream raw =
        file.equals(LogSettings.STDIN) ? System.in : new FileInputStream(Path.of(file).toFile());
    CountedBytes counted = new CountedBytes(raw, read);
    BufferedInputStream bytes = new BufferedInputStream(counted, BUFFER);
    String magic = HexFormat.of().formatHex(begin(bytes, MAGIC));
    PACKED.forEach(
        (begin, command) -> {
          if (magic.startsWith(begin)) {
            throw refusal(file, "is compressed in a way that is not read here", command);
          }
        });
    boolean packed = magic.startsWith("1f8b");
    BufferedInputStream log =
        packed ? new BufferedInputStream(unpacked(file, bytes, counted), BUFFER) : bytes;
    String head = new String(begin(log, TAR_AT + TAR.length()), StandardCharsets.ISO_8859_1);
    if (head.startsWith(TAR, TAR_AT)) {
      throw refusal(file, "is an archive of files", packed ? "tar -xzOf" : "tar -xOf");
    }
    return log;
  }

  private static UserErrorException refusal(String file, String what, String command) {
    return new UserErrorException(
        "--log %s %s: %s FILE | ./penstock compare --log -".formatted(file, what, command));
  }

  /* The first bytes, which are read again; fewer of a log that is shorter or broken. */
  private static byte[] begin(BufferedInputStream in, int length) throws IOException {
    byte[] bytes = new byte[length];
    in.mark(length);
    int read = 0;
    try {
      read = in.readNBytes(bytes, 0, length);
    } catch (EOFException | ZipException broken) {
      // The next read throws it again.
    }
    in.reset();
    return Arrays.copyOf(bytes, read);
  }

  private static InputStream unpacked(String file, InputStream packed, CountedBytes counted)
      throws IOException {
    CountedBytes unpacked =
        new CountedBytes(new GZIPInputStream(new NeverAtItsEnd(packed), BUFFER), more -> {});
    unpacked.checked =
        () -> {
          if (unpacked.total > FREE_BYTES && unpacked.total > MOST_EXPANSION * counted.total) {
            throw new UserErrorException(
                "--log %s unpacks to more than %d times its size, as no log does: look at it with zcat."
                    .formatted(file, MOST_EXPANSION));
          }
        };
    return unpacked;
  }

  /** Tells how much is read; only a buffer reads it. */
  private static final class CountedBytes extends FilterInputStream {
    private final LongConsumer read;
    private Runnable checked = () -> {};
    private long total;

    CountedBytes(InputStream in, LongConsumer read) {
      super(in);
      this.read = read;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
      int number = in.read(bytes, from, length);
      read.accept(Math.max(0, number));
      total += Math.max(0, number);
      checked.run();
      return number;
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
