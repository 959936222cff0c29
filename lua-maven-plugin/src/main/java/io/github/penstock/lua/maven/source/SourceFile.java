package io.github.penstock.lua.maven.source;

import io.github.penstock.lua.maven.rule.RuleViolation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * A Lua file as it was read.
 *
 * @param label its name in messages
 * @param lines its lines, without their ends
 */
public record SourceFile(String label, List<String> lines) {
  /** Reads a file and reports the bytes that a script must not have. */
  static SourceFile read(Path path, String label, Set<RuleViolation> problems) {
    try {
      String text = Files.readString(path, StandardCharsets.ISO_8859_1);
      String whole = text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
      SourceFile file = new SourceFile(label, List.of(whole.split("\n", -1)));
      file.checkBytes(problems);
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + path, e);
    }
  }

  /** The place of a line, from 1. */
  LineOrigin origin(int line) {
    return new LineOrigin(label, line);
  }

  String text() {
    return String.join("\n", lines) + "\n";
  }

  private void checkBytes(Set<RuleViolation> problems) {
    if (lines.get(0).startsWith("#!")) {
      problems.add(
          new RuleViolation(label, 1, "encoding", "a '#!' line: Redis before 7.0 refuses it"));
    }
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (line.chars().anyMatch(c -> c > 126)) {
        problems.add(
            new RuleViolation(label, i + 1, "encoding", "a byte that is not printable ASCII"));
      }
      if (line.indexOf('\r') >= 0) {
        String message = "a carriage return: it would change the script's SHA1";
        problems.add(new RuleViolation(label, i + 1, "encoding", message));
      } else if (line.chars().anyMatch(c -> c < ' ' && c != '\t')) {
        problems.add(new RuleViolation(label, i + 1, "encoding", "a control character"));
      }
    }
  }
}
