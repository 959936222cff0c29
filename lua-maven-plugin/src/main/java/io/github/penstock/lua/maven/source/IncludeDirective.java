package io.github.penstock.lua.maven.source;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line {@code --- @include "name" parameter=text parameter="text with spaces"}.
 *
 * @param include the name of the include
 * @param arguments the text for each parameter, in the order of the line
 */
record IncludeDirective(String include, Map<String, String> arguments) {
  private static final Pattern MENTION = Pattern.compile("--+\\s*@include\\b.*");
  private static final Pattern NAME =
      Pattern.compile("--- @include \"([a-z0-9][a-z0-9_/-]*)\"(?= |$)");
  private static final Pattern ARGUMENT =
      Pattern.compile("\\G +([a-z][a-z0-9_]*)=(?:\"([^\"]*)\"|([^\\s\"]+))(?= |$)");
  private static final String MALFORMED =
      "an include is written --- @include \"name\" parameter=text parameter=\"text with spaces\"";

  /** Returns whether a comment is meant as a directive. */
  static boolean mentioned(String comment) {
    return MENTION.matcher(comment).matches();
  }

  /** The include that a line asks for, or nothing where it asks for none. */
  static String named(String line) {
    Matcher name = NAME.matcher(line.strip());
    return name.lookingAt() ? name.group(1) : "";
  }

  /**
   * Reads a directive.
   *
   * @throws IllegalArgumentException if it is malformed; its message is for the author of the line
   */
  static IncludeDirective parse(String comment) {
    Matcher name = NAME.matcher(comment);
    if (!name.lookingAt()) {
      throw new IllegalArgumentException(MALFORMED);
    }
    String rest = comment.substring(name.end()).stripTrailing();
    Map<String, String> arguments = new LinkedHashMap<>();
    Matcher argument = ARGUMENT.matcher(rest);
    int end = 0;
    while (argument.find()) {
      String text = argument.group(2) == null ? argument.group(3) : argument.group(2);
      if (arguments.put(argument.group(1), text) != null) {
        throw new IllegalArgumentException(argument.group(1) + "= is given twice");
      }
      end = argument.end();
    }
    if (end < rest.length()) {
      throw new IllegalArgumentException(MALFORMED + ", not" + rest.substring(end));
    }
    return new IncludeDirective(name.group(1), arguments);
  }
}
