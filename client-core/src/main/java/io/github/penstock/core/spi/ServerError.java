package io.github.penstock.core.spi;

import io.github.penstock.core.FailureKind;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * An error that a server answered, classified as {@code vectors/errors.json} says. Immutable.
 *
 * @param text the error as the script or the server raised it, without the text that Redis 6 adds
 *     around it
 * @param kind its meaning; {@link FailureKind#UNAVAILABLE} for a redirection
 * @param rule the rule's text, which {@code text} begins with; empty if none fits
 */
public record ServerError(String text, FailureKind kind, String rule) {
  private static final Pattern RAISED_IN_SCRIPT =
      Pattern.compile(
          "(?:ERR )?Error running script \\(call to [^)]*\\): (?:@user_script: ?\\d+: )*-?"
              + "|@user_script: ?\\d+: -?");
  private static final String CODE = "ERR ";
  private static final List<ServerError> RULES =
      ErrorRules.TEXT.lines().map(ServerError::rule).toList();

  /** Classifies an error. */
  public static ServerError of(String whole) {
    String text = raised(whole);
    for (ServerError rule : RULES) {
      if (fits(rule.text, text)) {
        return new ServerError(text, rule.kind, rule.text);
      }
    }
    return new ServerError(text, FailureKind.UNKNOWN, "");
  }

  /** Returns whether the server lacks the script. */
  public boolean isNoScript() {
    return rule.equals("NOSCRIPT");
  }

  /** Returns whether the error names another node. */
  public boolean isRedirection() {
    return rule.equals("MOVED") || rule.equals("ASK");
  }

  /** Returns whether the server is a replica. */
  public boolean isReadOnly() {
    return rule.equals("READONLY");
  }

  private static String raised(String whole) {
    var around = RAISED_IN_SCRIPT.matcher(whole);
    return around.lookingAt() ? whole.substring(around.end()) : whole;
  }

  private static boolean fits(String rule, String text) {
    return begins(text, rule)
        || rule.startsWith(CODE) && begins(text, rule.substring(CODE.length()));
  }

  private static boolean begins(String text, String rule) {
    return text.startsWith(rule)
        && (text.length() == rule.length()
            || !Character.isLetterOrDigit(text.charAt(rule.length())));
  }

  /* A line is a class and a text. */
  private static ServerError rule(String line) {
    int space = line.indexOf(' ');
    String name = line.substring(0, space);
    FailureKind kind =
        name.equals("redirect")
            ? FailureKind.UNAVAILABLE
            : FailureKind.valueOf(name.toUpperCase(Locale.ROOT));
    return new ServerError(line.substring(space + 1), kind, "");
  }
}
