package io.github.penstock.lua.maven.output;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/** The SHA256 sums of a directory's files. */
public final class ChecksumFile {
  private static final String FILE = "SHA256SUMS";

  private ChecksumFile() {}

  /** Writes the sums of every other file, by path, into the directory's {@code SHA256SUMS}. */
  public static void write(Path directory) throws IOException {
    StringBuilder sums = new StringBuilder();
    for (String file : files(directory)) {
      sums.append(sha256(directory.resolve(file))).append("  ").append(file).append('\n');
    }
    Files.writeString(directory.resolve(FILE), sums);
  }

  private static List<String> files(Path directory) throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      return paths
          .filter(Files::isRegularFile)
          .map(path -> directory.relativize(path).toString().replace('\\', '/'))
          .filter(path -> !path.equals(FILE))
          .sorted()
          .toList();
    }
  }

  private static String sha256(Path file) throws IOException {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
