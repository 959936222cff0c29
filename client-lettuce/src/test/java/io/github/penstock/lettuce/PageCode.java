package io.github.penstock.lettuce;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The Java code of a page in docs, which stands in a test. */
final class PageCode {
  private static final Path HERE =
      Path.of("src", "test", "java", "io", "github", "penstock", "lettuce");
  private static final Pattern BLOCK =
      Pattern.compile("^```java\n(.*?)^```", Pattern.MULTILINE | Pattern.DOTALL);

  private PageCode() {}

  /**
   * Asserts that a page has so many blocks at least, and each of them stands in a test, in one
   * piece.
   */
  static void assertStandsIn(Class<?> test, String page, int least) throws IOException {
    String here = normal(Files.readString(HERE.resolve(test.getSimpleName() + ".java")));
    List<String> blocks = new ArrayList<>();
    Matcher block = BLOCK.matcher(Files.readString(Path.of("..", "docs", page)));
    while (block.find()) {
      blocks.add(normal(block.group(1)));
    }
    assertThat(blocks)
        .hasSizeGreaterThanOrEqualTo(least)
        .allSatisfy(code -> assertThat(here).contains(code));
  }

  /* Indentation is the page's own. */
  private static String normal(String code) {
    return code.replaceAll("\\s+", " ").strip();
  }
}
