package io.github.penstock.simulator.record;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Lines of one pattern, whose groups are the fields; of an address list the first counts. */
public final class PatternLog implements RecordFormat {
  private static final Pattern GROUP = Pattern.compile("\\(\\?<([a-z]+)>");

  /** AWS Application Load Balancer: access log entries of its documentation. */
  static final PatternLog ALB =
      new PatternLog(
          "(?:https?|h2|grpcs|wss?) (?<time>\\S+) \\S+ (?<address>\\S+) \\S+ \\S+ \\S+ \\S+"
              + " (?<status>\\S+) \\S+ \\S+ (?<bytes>\\d+) "
              + quoted("request")
              + " "
              + quoted("agent")
              + ".*");

  /** HAProxy's {@code option httplog}, also behind a syslog header. */
  static final PatternLog HAPROXY =
      new PatternLog(
          "(?:.* )?(?<address>\\S+:\\d+) \\[(?<time>\\d\\d/[A-Z][a-z]{2}/[\\d:.]+)\\] \\S+ \\S+"
              + " [-+\\d/]+ (?<status>-?\\d+) \\+?(?<bytes>\\d+) .*?"
              + quoted("request")
              + ".*");

  /** Nginx Proxy Manager's {@code proxy} format. */
  static final PatternLog NGINX_PROXY_MANAGER =
      new PatternLog(
          "\\[(?<time>[^\\]]+)\\] \\S+ \\S+ (?<status>\\S+) - \\S+ \\S+ (?<host>\\S+) "
              + quoted("request")
              + " \\[Client (?<address>[^\\]]+)\\] \\[Length (?<bytes>[^\\]]+)\\].*?"
              + quoted("agent")
              + " "
              + quoted("referer"));

  /** Envoy's default format: its documentation; Istio's has more fields. */
  static final PatternLog ENVOY =
      new PatternLog(
          "(?:\\S+ ){0,4}?\\[(?<time>\\d{4}-[^\\]]+)\\] "
              + quoted("request")
              + " (?<status>\\d+) (?:\\S+ ){1,3}?(?:\"[^\"]*\" )?\\d+ (?<bytes>\\d+) \\d+ \\S+"
              + " \"(?<forwarded>[^\"]*)\" "
              + quoted("agent")
              + " \"[^\"]*\" \"(?<host>[^\"]*)\" \"[^\"]*\"(?: \\S+ \\S+ \\S+ (?<client>\\S+:\\d+) .*)?");

  /** Heroku's router, of {@code heroku logs} or behind a syslog header. */
  static final PatternLog HEROKU =
      new PatternLog(
          "(?:\\S+ ){0,3}?(?<time>\\d{4}-\\d\\d-\\d\\dT\\S+)(?: \\S+){1,5}? at=\\w+"
              + " (?:code=\\S+ desc=\"[^\"]*\" )?method=\\w+ path=\"(?<path>[^\"]*)\""
              + " host=(?<host>\\S+) (?:\\w+=\\S* )*?fwd=\"(?<address>[^\"]*)\""
              + " (?:\\w+=\\S* )*?status=(?<status>\\d+) bytes=(?<bytes>\\d*).*");

  /** Uvicorn's access log, which has no time unless something writes one before it. */
  static final PatternLog UVICORN =
      new PatternLog(
          "(?:(?:\\S+ +){0,3}?\\[?(?<time>\\d{4}-\\d\\d-\\d\\d[T ][\\d:.,]+(?:Z|[-+][\\d:]+)?)\\]?"
              + " +)?(?:\\S+ +){0,6}?(?<address>[\\w.:\\[\\]]+:\\d+) - "
              + quoted("request")
              + " (?<status>\\d{3})(?: [A-Z][\\w -]*)?");

  private final Pattern pattern;
  private final List<String> names;

  /* A group in quotes, in which a backslash keeps the next character. */
  private static String quoted(String name) {
    return "\"(?<" + name + ">(?:[^\"\\\\]|\\\\.)*)\"";
  }

  private PatternLog(String pattern) {
    this(pattern, GROUP.matcher(pattern).results().map(each -> each.group(1)).toList());
  }

  /** With the names of its groups, in their order. */
  PatternLog(String pattern, List<String> names) {
    this.pattern = Pattern.compile(pattern);
    this.names = names;
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
      String value = names.contains(name) ? found.group(1 + names.indexOf(name)) : null;
      return value == null || value.isEmpty() || value.equals("-") ? null : value;
    }
  }
}
