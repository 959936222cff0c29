package io.github.penstock.lua.maven.output;

import io.github.penstock.lua.maven.header.ScriptHeader;
import java.util.List;
import java.util.function.Function;

/**
 * The scripts as one library for FUNCTION LOAD (Redis 7.0 and later).
 *
 * @param name its name
 * @param source the text for FUNCTION LOAD
 */
record BuiltLibrary(String name, String source) {
  /** The line that names a library; no Lua compiler reads it. */
  private static final String ENGINE = "#!lua name=";

  /**
   * Makes every script a function, and every script that can peek a second one that a replica
   * accepts.
   */
  static BuiltLibrary of(
      String name,
      String errorPrefix,
      List<BundledScript> scripts,
      Function<BundledScript, String> form) {
    StringBuilder source = new StringBuilder(ENGINE).append(name).append('\n');
    for (BundledScript script : scripts) {
      String function = script.function(name);
      source
          .append("local function ")
          .append(function)
          .append("(KEYS,ARGV)")
          .append(form.apply(script));
      source.append("\nend\n");
      source.append(
          "redis.register_function{function_name='%s',callback=%s%s}\n"
              .formatted(function, function, flags(script)));
      script
          .script()
          .header()
          .peek()
          .ifPresent(p -> source.append(peek(script, name, errorPrefix, p)));
    }
    return new BuiltLibrary(name, source.substring(0, source.length() - 1));
  }

  private static String flags(BundledScript script) {
    return script.script().header().flag().map(",flags={'%s'}"::formatted).orElse("");
  }

  private static String peek(
      BundledScript script, String library, String errorPrefix, ScriptHeader.PeekArgument peek) {
    String error =
        "%s: %s must be %d in a peek"
            .formatted(errorPrefix.replace("{script}", script.name()), peek.name(), peek.value());
    return "redis.register_function{function_name='%s',callback=function(KEYS,ARGV)"
            .formatted(script.peekFunction(library))
        + "if tonumber(ARGV[%d])~=%d then ".formatted(peek.argument(), peek.value())
        + "return redis.error_reply('%s')end ".formatted(error)
        + "return %s(KEYS,ARGV)end,flags={'no-writes'}}\n".formatted(script.function(library));
  }

  /** The source without its first line, as a Lua compiler reads it. */
  String program() {
    return source.substring(source.indexOf('\n') + 1);
  }

  String sha1() {
    return Sha1Digest.of(source);
  }

  String file() {
    return "functions/" + name + ".lua";
  }
}
