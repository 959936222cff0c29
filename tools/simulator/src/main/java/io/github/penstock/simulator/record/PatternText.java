package io.github.penstock.simulator.record;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An nginx {@code log_format} or an Apache {@code LogFormat} in its configured form, with or
 * without the directive around it.
 *
 * <p>Source: nginx, ngx_http_log_module; Apache HTTP Server, mod_log_config.
 */
public final class PatternText {
  private static final Pattern DIRECTIVE =
      Pattern.compile(
          "(?s)(?:log_format\\s+\\S+\\s+(?:escape=\\w+\\s+)?|LogFormat\\s+)?(['\"].*?)[\\s;]*");
  private static final Pattern QUOTED =
      Pattern.compile("(?s)'((?:[^'\\\\]|\\\\.)*)'|\"((?:[^\"\\\\]|\\\\.)*)\"");
  private static final Pattern FIELD =
      Pattern.compile("\\$(?:\\{(\\w+)}|(\\w+))|%[!\\d,]*[<>]?(?:\\{([^}]*)})?([a-zA-Z])|%%");
  private static final Map<String, String> APACHE =
      Stream.of(
              "h address,a address,u user,t time,r request,s status,b bytes,B bytes,O bytes_sent,U path"
                  .split(","))
          .collect(Collectors.toMap(each -> each.substring(0, 1), each -> each.substring(2)));
  private final StringBuilder regex = new StringBuilder();
  private final List<String> names = new ArrayList<>();

  private PatternText() {}

  /** Throws an IllegalArgumentException that names the rule. */
  public static PatternLog parse(String pasted) {
    String format = unquoted(pasted.strip()).replaceAll("\\\\([\"'\\\\])", "$1");
    PatternText text = new PatternText();
    Matcher field = FIELD.matcher(format);
    int at = 0;
    while (field.find()) {
      text.regex.append(Pattern.quote(format.substring(at, field.start())));
      at = field.end();
      text.add(field, at < format.length() ? format.charAt(at) : '\n');
    }
    text.regex.append(Pattern.quote(format.substring(at)));
    if (!FieldNames.hasTime(text.names)) {
      throw new IllegalArgumentException(
          "must be an nginx log_format with $time_local, $time_iso8601 or $msec, or an Apache LogFormat with %t: "
              + (text.names.isEmpty()
                  ? pasted
                  : "its fields are " + String.join(", ", text.names)));
    }
    return new PatternLog(text.regex.toString(), text.names);
  }

  /* The quoted parts together, of which a nickname is none. */
  private static String unquoted(String pasted) {
    Matcher directive = DIRECTIVE.matcher(pasted);
    if (!directive.matches()) {
      return pasted;
    }
    StringBuilder all = new StringBuilder();
    StringBuilder between = new StringBuilder();
    Matcher part = QUOTED.matcher(directive.group(1));
    while (part.find()) {
      part.appendReplacement(between, "");
      all.append(part.group(1) == null ? part.group(2) : part.group(1));
    }
    return FIELD.matcher(part.appendTail(between)).find() ? pasted : all.toString();
  }

  private void add(Matcher field, char next) {
    if (field.group().equals("%%")) {
      regex.append('%');
      return;
    }
    String letter = field.group(4);
    String nginx = field.group(1) == null ? field.group(2) : field.group(1);
    names.add(nginx == null ? apache(letter, field.group(3)) : nginx);
    boolean brackets = "t".equals(letter) && field.group(3) == null;
    regex.append(brackets ? "\\[([^\\]]*)\\]" : value(next));
  }

  private static String apache(String letter, @Nullable String argument) {
    return argument == null || letter.equals("t") || letter.equals("a")
        ? APACHE.getOrDefault(letter, letter)
        : argument.toLowerCase(Locale.ROOT);
  }

  /* Up to the next literal; words that commas join are one value, and a quote may be escaped. */
  private static String value(char next) {
    return switch (next) {
      case '\n' -> "(.*)";
      case ' ' -> "((?:[^ ]*, )*[^ ]*)";
      case '"' -> "((?:[^\"\\\\]|\\\\.)*)";
      default -> "([^" + (Character.isLetterOrDigit(next) ? "" : "\\") + next + "]*)";
    };
  }
}
