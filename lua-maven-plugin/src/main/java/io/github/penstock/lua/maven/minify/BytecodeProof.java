package io.github.penstock.lua.maven.minify;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;
import org.luaj.vm2.LuaError;
import org.luaj.vm2.Prototype;
import org.luaj.vm2.compiler.DumpState;
import org.luaj.vm2.compiler.LuaC;

/**
 * Shows that two texts are the same program: they compile to the same bytecode.
 *
 * <p>Bytecode names no local variable and no comment once it is stripped of its debugging
 * information; all that is left of the layout are the lines on which functions begin and end, and
 * those are set to zero. Both texts are compiled by the same compiler (LuaJ), which therefore need
 * not be the server's.
 */
public final class BytecodeProof {
  private static final String GLOBALS = "_ENV";
  private static final int MAXIMUM_UPVALUES = 60;

  private BytecodeProof() {}

  /** The difference between two programs, in words; empty if they are the same. */
  public static Optional<String> difference(String source, String minified) {
    try {
      byte[] expected = bytecode(source, "source");
      byte[] actual = bytecode(minified, "minified form");
      int at = Arrays.mismatch(expected, actual);
      return at < 0
          ? Optional.empty()
          : Optional.of(
              "the minified form is another program: its bytecode differs from byte %d on (%d and %d bytes)"
                  .formatted(at, expected.length, actual.length));
    } catch (LuaError e) {
      return Optional.of("does not compile: " + e.getMessage());
    }
  }

  /**
   * The bytecode of a text without debugging information and line numbers.
   *
   * @throws LuaError if it does not compile
   */
  static byte[] bytecode(String text, String name) {
    try {
      byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
      Prototype program = LuaC.instance.compile(new ByteArrayInputStream(bytes), name);
      checkLimits(program);
      forgetLines(program);
      ByteArrayOutputStream dump = new ByteArrayOutputStream();
      DumpState.dump(program, dump, true);
      return dump.toByteArray();
    } catch (IOException e) {
      throw new IllegalStateException("reading from memory failed", e);
    }
  }

  /**
   * Lua 5.1 allows fewer upvalues than the compiler used here, which has one more for the globals.
   */
  private static void checkLimits(Prototype program) {
    long captured =
        Stream.of(program.upvalues).filter(u -> !GLOBALS.equals(String.valueOf(u.name))).count();
    if (captured > MAXIMUM_UPVALUES) {
      throw new LuaError(
          "a function uses more than " + MAXIMUM_UPVALUES + " variables of outer functions");
    }
    for (Prototype inner : program.p) {
      checkLimits(inner);
    }
  }

  private static void forgetLines(Prototype program) {
    program.linedefined = 0;
    program.lastlinedefined = 0;
    for (Prototype inner : program.p) {
      forgetLines(inner);
    }
  }
}
