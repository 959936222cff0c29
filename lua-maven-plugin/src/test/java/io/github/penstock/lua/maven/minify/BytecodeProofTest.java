package io.github.penstock.lua.maven.minify;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.lua.maven.script.CheckedScript;
import io.github.penstock.lua.maven.syntax.Lexer;
import io.github.penstock.lua.maven.syntax.Token;
import io.github.penstock.lua.maven.syntax.TokenKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Plants faults that a minifier could make into real scripts; the proof must find each of them,
 * wherever it is.
 */
class BytecodeProofTest {
  /** Applies a fault to the token at a place; null where it does not apply. */
  private interface TokenEdit extends BiFunction<List<Token>, Integer, List<String>> {}

  enum PlantedFault {
    ANOTHER_LOCAL(BytecodeProofTest::anotherLocal),
    GLOBAL_FOR_LOCAL((t, i) -> isLocalUse(t, i) ? List.of("undefined") : null),
    COMPARISON(swap(Map.of("<", "<=", ">", ">=", "<=", "<", ">=", ">", "==", "~=", "~=", "=="))),
    LOGIC(swap(Map.of("and", "or", "or", "and"))),
    ARITHMETIC(swap(Map.of("+", "-", "*", "/", "/", "*", "%", "*", "^", "*"))),
    NUMBER(ofKind(TokenKind.NUMBER, n -> n + "1")),
    STRING(
        ofKind(
            TokenKind.STRING, s -> s.startsWith("[") ? "''" : s.charAt(0) + "x" + s.substring(1))),
    CONSTANT(swap(Map.of("true", "false", "false", "true", "nil", "false"))),
    NOT_DROPPED((t, i) -> t.get(i).is("not") ? List.of() : null),
    LENGTH_DROPPED((t, i) -> t.get(i).is("#") ? List.of() : null),
    FIELD_RENAMED((t, i) -> i > 1 && t.get(i - 1).is(".") ? List.of(t.get(i).text() + "x") : null),
    LOCAL_DROPPED((t, i) -> t.get(i).is("local") && !t.get(i + 2).is(",") ? List.of() : null),
    BREAK_DROPPED((t, i) -> t.get(i).is("break") ? List.of() : null),
    CONCATENATION(swap(Map.of("..", "+"))),
    BRANCH(swap(Map.of("then", "then else"))),
    ITEM_ADDED((t, i) -> t.get(i).is(",") ? List.of(",", "nil", ",") : null);

    private final TokenEdit edit;

    PlantedFault(TokenEdit edit) {
      this.edit = edit;
    }
  }

  @ParameterizedTest
  @DisplayName("a planted fault is found at every place where it fits")
  @EnumSource
  void planted(PlantedFault fault) throws IOException {
    int planted = 0;
    for (CheckedScript script : RealScripts.all().toList()) {
      String minified = ScriptMinifier.minify(script.chunk());
      for (String faulty : faulty(minified, fault.edit)) {
        assertThat(BytecodeProof.difference(script.source(), faulty))
            .as("%s in %s", fault, faulty)
            .isPresent();
        planted++;
      }
    }
    assertThat(planted).isGreaterThan(0);
  }

  @Test
  @DisplayName("the parentheses that cut a call to one value are part of the program")
  void parentheses() {
    assertThat(BytecodeProof.difference("return (f())", "return f()")).isPresent();
    assertThat(BytecodeProof.difference("return {(f())}", "return{f()}")).isPresent();
    assertThat(BytecodeProof.difference("return (...)", "return...")).isPresent();
  }

  @Test
  @DisplayName("a name that captures another's use is found")
  void capture() {
    String source = "local x = 1 local y = 2 return x + y";
    assertThat(BytecodeProof.difference(source, "local a=1 local b=2 return a+b")).isEmpty();
    assertThat(BytecodeProof.difference(source, "local a=1 local a=2 return a+a")).isPresent();
    assertThat(
            BytecodeProof.difference(
                "local x = 1 return function() return x end",
                "local a=1 return function()return b end"))
        .isPresent();
  }

  @Test
  @DisplayName("order, and which scope a variable lives in, are part of the program")
  void order() {
    assertThat(BytecodeProof.difference("f() g()", "g()f()")).isPresent();
    assertThat(BytecodeProof.difference("local a, b = f(), g()", "local a,b=g(),f()")).isPresent();
    assertThat(BytecodeProof.difference("a, b = b, a", "a,b=a,b")).isPresent();
    assertThat(
            BytecodeProof.difference(
                "local x do x = 1 end return x", "local a do local a=1 end return a"))
        .isPresent();
    assertThat(
            BytecodeProof.difference(
                "while f() do local x = function() return x end end", "while f()do end"))
        .isPresent();
  }

  @Test
  @DisplayName("layout, comments and names of locals are not part of the program")
  void same() {
    assertThat(
            BytecodeProof.difference(
                "-- one\nlocal function name(first)\n\n  return first\nend\n",
                "local function a(b)return b end"))
        .isEmpty();
  }

  @Test
  @DisplayName("what does not compile, or passes a limit of Lua 5.1, is a difference")
  void limits() {
    assertThat(BytecodeProof.difference("return", "return return"))
        .hasValueSatisfying(m -> assertThat(m).startsWith("does not compile: "));
    StringBuilder outer = new StringBuilder();
    StringBuilder sum = new StringBuilder("return function() return 0");
    for (int i = 0; i <= 60; i++) {
      outer.append("local v").append(i).append(" = ").append(i).append('\n');
      sum.append(" + v").append(i);
    }
    String program = outer.append(sum).append(" end").toString();
    assertThat(BytecodeProof.difference(program, program))
        .contains("does not compile: a function uses more than 60 variables of outer functions");
  }

  /** Every text that differs from the original by the fault at one place. */
  private static List<String> faulty(String text, TokenEdit edit) {
    List<Token> tokens = Lexer.read(text).tokens();
    List<String> results = new ArrayList<>();
    for (int i = 0; i < tokens.size() - 1; i++) {
      List<String> replacement = edit.apply(tokens, i);
      if (replacement != null) {
        List<String> words = new ArrayList<>(tokens.stream().map(Token::text).toList());
        words.set(i, String.join(" ", replacement));
        results.add(String.join(" ", words));
      }
    }
    return results;
  }

  private static TokenEdit swap(Map<String, String> words) {
    return (t, i) -> {
      boolean word = t.get(i).kind() == TokenKind.SYMBOL || t.get(i).kind() == TokenKind.KEYWORD;
      return word && words.containsKey(t.get(i).text())
          ? List.of(words.get(t.get(i).text()))
          : null;
    };
  }

  private static TokenEdit ofKind(TokenKind kind, java.util.function.UnaryOperator<String> change) {
    return (t, i) -> t.get(i).kind() == kind ? List.of(change.apply(t.get(i).text())) : null;
  }

  /** Names another local variable than the one that is read here. */
  private static List<String> anotherLocal(List<Token> tokens, int index) {
    if (!isLocalUse(tokens, index)) {
      return null;
    }
    return List.of(tokens.get(index).text().equals("a") ? "b" : "a");
  }

  /**
   * Whether a one-letter name is an operand, which in a minified script only a local variable is.
   */
  private static boolean isLocalUse(List<Token> tokens, int index) {
    boolean name =
        tokens.get(index).kind() == TokenKind.NAME && tokens.get(index).text().length() == 1;
    boolean operand =
        index > 0
            && List.of("+", "-", "*", "%", "<", ">", "..", "#")
                .contains(tokens.get(index - 1).text());
    return name && operand;
  }
}
