package io.github.penstock.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compiles the examples in the Javadoc of the modules that applications use. */
class JavadocExamplesTest {
  private static final Path ROOT = Path.of("..", "..");
  private static final List<String> MODULES =
      List.of(
          "client-core",
          "client-jedis",
          "client-lettuce",
          "client-redisson",
          "client-glide",
          "client-local",
          "client-test",
          "micrometer");
  private static final Pattern EXAMPLE =
      Pattern.compile("<pre>\\{@code\n(.*?)\n[ *]*}</pre>", Pattern.DOTALL);

  /** The pages that a user opens first. */
  private static final List<String> FIRST =
      List.of("RateLimiters", "RateLimiter", "Decision", "RateLimiterOptions", "OnUnavailable");

  /* The application around an example: an example may hide a name with a variable. */
  private static final String APPLICATION =
      """
      import static io.github.penstock.test.PenstockAssertions.assertThat;
      import static org.assertj.core.api.Assertions.assertThatThrownBy;

      import io.github.penstock.core.*;
      import io.github.penstock.core.http.*;
      import io.github.penstock.core.limit.*;
      import io.github.penstock.core.reserve.*;
      import io.github.penstock.jedis.*;
      import io.github.penstock.lettuce.*;
      import io.github.penstock.local.*;
      import io.github.penstock.micrometer.*;
      import io.github.penstock.test.*;
      import io.micrometer.core.instrument.*;
      import java.net.URI;
      import java.time.*;
      import org.junit.jupiter.api.Test;
      import org.junit.jupiter.api.extension.ExtendWith;

      abstract class Example {
        static RateLimiters limiters;
        static RateLimiter api;
        static RateLimiterOptions options;
        static Reservation call;
        static MeterRegistry registry;
        static String uri;
        static Response response;

        interface Response {
          void setHeader(String name, String value);

          void addHeader(String name, String value);

          void setStatus(int status);

          void setContentType(String type);

          java.io.Writer getWriter();
        }

        static void refuse(int status) {}

        static void log(String line) {}
      """;

  @TempDir Path classes;

  record JavadocExample(String file, String code) {
    @Override
    public String toString() {
      return file;
    }
  }

  static List<JavadocExample> examples() throws IOException {
    List<JavadocExample> examples = new ArrayList<>();
    for (String module : MODULES) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
        for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
          Matcher example = EXAMPLE.matcher(Files.readString(file));
          while (example.find()) {
            String code = example.group(1).replaceAll("(?m)^ *\\* ?", "");
            examples.add(new JavadocExample(ROOT.relativize(file).toString(), code));
          }
        }
      }
    }
    return examples;
  }

  @ParameterizedTest
  @MethodSource("examples")
  @DisplayName("an example in the Javadoc compiles")
  void compiles(JavadocExample example) {
    assertThat(errors(example.code())).as(example.code()).isEmpty();
  }

  @Test
  @DisplayName("the pages that a user opens first and the package have an example")
  void firstPages() throws IOException {
    Set<String> files = new TreeSet<>();
    examples().forEach(example -> files.add(example.file().replaceAll(".*/|\\.java", "")));
    assertThat(files).containsAll(FIRST).contains("package-info");
  }

  @Test
  @DisplayName("an example that does not compile is found")
  void wrongExample() {
    assertThat(errors("api.tryAcquire();")).contains("tryAcquire");
  }

  private String errors(String code) {
    boolean declares = Pattern.compile("(?m)^class ").matcher(code).find();
    String unit =
        APPLICATION
            + (declares ? "static " + code : "void example() throws Exception {\n" + code + "\n}")
            + "\n}\n";
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter errors = new StringWriter();
    compiler
        .getTask(
            errors,
            null,
            null,
            List.of("-proc:none", "-nowarn", "-d", classes.toString()),
            null,
            List.of(new SourceText(unit)))
        .call();
    Matcher error = Pattern.compile("(?m)^.*error: .*$").matcher(errors.toString());
    return error.find() ? errors.toString() : "";
  }

  private static final class SourceText extends SimpleJavaFileObject {
    private final String text;

    SourceText(String text) {
      super(URI.create("string:///Example.java"), JavaFileObject.Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}
