package io.github.penstock.lua.maven.minify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.github.penstock.lua.maven.syntax.Parser;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class RandomProgramsTest {
  /** Few names and deep nesting: nearly every declaration shadows another. */
  private static final String[] NAMES = {"x", "y", "z", "count", "self", "KEYS", "redis", "a", "b"};

  private final StringBuilder text = new StringBuilder();
  private Random random = new Random();
  private int budget;

  @Property
  void minifiedFormIsTheSameProgram(@ForAll long seed) {
    String source = program(seed);
    String minified = ScriptMinifier.minify(Parser.parse(source));
    assertThat(BytecodeProof.difference(source, minified)).as("%s%n%s", source, minified).isEmpty();
    assertThat(minified.length()).isLessThanOrEqualTo(source.length());
    assertThatCode(() -> Parser.parse(minified)).as(minified).doesNotThrowAnyException();
  }

  private String program(long seed) {
    random = new Random(seed);
    budget = 40;
    text.setLength(0);
    block(0);
    return text.toString();
  }

  private void block(int depth) {
    for (int i = random.nextInt(5); i >= 0 && budget > 0; i--) {
      budget--;
      statement(depth);
      text.append(random.nextInt(4) == 0 ? ";\n" : "\n");
    }
    if (random.nextInt(6) == 0) {
      text.append("return ").append(expression(2)).append(random.nextBoolean() ? "\n" : ";\n");
    }
  }

  private void statement(int depth) {
    switch (random.nextInt(depth > 5 ? 4 : 12)) {
      case 0 ->
          text.append("local ")
              .append(name())
              .append(", ")
              .append(name())
              .append(" = ")
              .append(list());
      case 1 ->
          text.append("local ")
              .append(name())
              .append(random.nextBoolean() ? "" : " = " + expression(3));
      case 2 -> text.append(target()).append(", ").append(target()).append(" = ").append(list());
      case 3 -> text.append(name()).append(call());
      case 4 -> nested("do ", " end", depth);
      case 5 -> nested("while " + expression(2) + " do ", " end", depth);
      case 6 -> nested("repeat ", " until " + expression(2), depth);
      case 7 -> nested("for " + name() + " = " + list() + ", 1 do ", " end", depth);
      case 8 -> nested("for " + name() + ", " + name() + " in " + list() + " do ", " end", depth);
      case 9 -> nested("local function " + name() + parameters(), " end", depth);
      case 10 ->
          nested("function " + name() + "." + name() + ":" + name() + parameters(), " end", depth);
      default -> {
        nested("if " + expression(2) + " then ", "", depth);
        nested(" elseif " + expression(2) + " then ", "", depth);
        nested(" else ", " end", depth);
      }
    }
  }

  private void nested(String open, String close, int depth) {
    text.append(open);
    block(depth + 1);
    text.append(close);
  }

  private String expression(int depth) {
    return switch (random.nextInt(depth <= 0 ? 4 : 13)) {
      case 0, 1 -> name();
      case 2 -> pick("1", "0x1F", "1e2", ".5", "3.");
      case 3 -> pick("\"s\"", "'it\\'s'", "[[long]]", "[=[]]]=]", "nil", "true", "\"--\"");
      case 4, 5 ->
          expression(depth - 1)
              + pick(" + ", " - ", " .. ", " and ", " == ", " ^ ", " % ")
              + expression(depth - 1);
      case 6 -> pick("- ", "not ", "# ") + expression(depth - 1);
      case 7 -> "(" + expression(depth - 1) + ")";
      case 8 -> name() + call();
      case 9 ->
          "{ "
              + expression(depth - 1)
              + ", "
              + name()
              + " = "
              + expression(depth - 1)
              + "; [ "
              + expression(0)
              + " ] = 1, }";
      case 10 -> name() + "[ " + expression(depth - 1) + " ]." + name();
      case 11 -> "(function" + parameters() + " return " + list() + " end)" + call();
      default -> name() + ":" + name() + "(" + list() + ")";
    };
  }

  private String list() {
    return expression(2) + ", " + expression(1);
  }

  private String call() {
    return switch (random.nextInt(4)) {
      case 0 -> "()";
      case 1 -> " \"text\"";
      case 2 -> " { " + expression(1) + " }";
      default -> "(" + list() + ")";
    };
  }

  private String target() {
    return random.nextBoolean() ? name() : name() + "." + name();
  }

  private String parameters() {
    return switch (random.nextInt(3)) {
      case 0 -> "() ";
      case 1 -> "(" + pick("x", "y") + ", a) ";
      default -> "(z, ...) ";
    };
  }

  private String name() {
    return pick(NAMES);
  }

  private String pick(String... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
