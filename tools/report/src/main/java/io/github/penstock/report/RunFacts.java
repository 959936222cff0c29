package io.github.penstock.report;

import io.github.penstock.scripts.LuaScript;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The facts that are needed to repeat a figure: machine, versions, settings, command. Keeps the
 * order in which facts were added. Not safe for use by several threads.
 */
public final class RunFacts {
  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'");
  private final Map<String, String> facts = new LinkedHashMap<>();

  /** The machine, its Java, the scripts and the time now. */
  public static RunFacts here() {
    RunFacts facts = new RunFacts();
    facts.add("When", OffsetDateTime.now(ZoneOffset.UTC).format(DATE));
    MachineFacts.facts().forEach(facts::add);
    facts.add(
        "Scripts",
        "bundle " + LuaScript.bundleVersion() + ", protocol " + LuaScript.protocolVersion());
    for (LuaScript script : LuaScript.values()) {
      facts.add("SHA1 of " + script.scriptName(), script.sha1());
    }
    return facts;
  }

  /** Adds a fact, or replaces the one of that name. */
  public RunFacts add(String name, String value) {
    facts.put(name, value);
    return this;
  }

  /**
   * Adds the command that was run; a password in a URL becomes {@code ***}.
   *
   * @param arguments the arguments after {@code ./penstock}
   */
  public RunFacts command(List<String> arguments) {
    String line = String.join(" ", arguments.stream().map(RunFacts::quoted).toList());
    return add("Command", "./penstock " + withoutPassword(line));
  }

  static String withoutPassword(String line) {
    return line.replaceAll("(://[^:@/ ]*):[^@ ]*@", "$1:***@");
  }

  Map<String, String> asMap() {
    return Collections.unmodifiableMap(facts);
  }

  static String quoted(String argument) {
    return argument.matches("[A-Za-z0-9_./:=,@%+-]+")
        ? argument
        : "'" + argument.replace("'", "'\\''") + "'";
  }
}
