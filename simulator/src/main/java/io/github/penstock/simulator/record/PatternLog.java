package io.github.penstock.simulator.record;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Lines of one pattern, whose groups are the fields; of an address list the first counts. */
public final class PatternLog implements RecordFormat {
  private static final Pattern GROUP = Pattern.compile("\\(\\?<([a-z]+)>");
  private static final String QUOTED = "\"((?:[^\"\\\\]|\\\\.)*)\"";

  /** AWS Application Load Balancer: access log entries of its documentation. */
  static final PatternLog ALB =
      new PatternLog(
          "(?:https?|h2|grpcs|wss?) (?<time>\\S+) \\S+ (?<address>\\S+) \\S+ \\S+ \\S+ \\S+"
              + " (?<status>\\S+) \\S+ \\S+ (?<bytes>\\d+) "
              + QUOTED.replace("((", "(?<request>(")
              + " "
              + QUOTED.replace("((", "(?<agent>(")
              + ".*");

  /** HAProxy's {@code option httplog}, also behind a syslog header. */
  static final PatternLog HAPROXY =
      new PatternLog(
          "(?:.* )?(?<address>\\S+:\\d+) \\[(?<time>\\d\\d/[A-Z][a-z]{2}/[\\d:.]+)\\] \\S+ \\S+"
              + " [-+\\d/]+ (?<status>-?\\d+) \\+?(?<bytes>\\d+) .*?"
              + QUOTED.replace("((", "(?<request>(")
              + ".*");

  /** Nginx Proxy Manager's {@code proxy} format. */
  static final PatternLog NGINX_PROXY_MANAGER =
      new PatternLog(
          "\\[(?<time>[^\\]]+)\\] \\S+ \\S+ (?<status>\\S+) - \\S+ \\S+ (?<host>\\S+) "
              + QUOTED.replace("((", "(?<request>(")
              + " \\[Client (?<address>[^\\]]+)\\] \\[Length (?<bytes>[^\\]]+)\\].*?"
              + QUOTED.replace("((", "(?<agent>(")
              + " "
              + QUOTED.replace("((", "(?<referer>("));

  private final Pattern pattern;
  private final List<String> names;

  private PatternLog(String pattern) {
    this.pattern = Pattern.compile(pattern);
    this.names = GROUP.matcher(pattern).results().map(each -> each.group(1)).toList();
  }

  @Override
  public @Nullable RecordFields read(String line) throws UnreadableRecordException {
    if (line.isBlank()) {
      return null;
    }
    Matcher found = pattern.matcher(line);
    if (!found.matches()) {
      throw new UnreadableRecordException("not the fields of this format");
    }
    return new Groups(found, names);
  }

  private record Groups(Matcher found, List<String> names) implements RecordFields {
    @Override
    public @Nullable String get(String name) {
      String value = names.contains(name) ? found.group(name) : null;
      return value == null || value.isEmpty() || value.equals("-") ? null : value;
    }
  }
}
