package io.github.penstock.benchmarks.compare.log;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Who is limited: {@code address}, {@code user}, {@code referer}, {@code user-agent}, {@code
 * path[:N]} (the first N segments), {@code field:NAME}, {@code all} (everybody together), or
 * several of them joined by {@code +}.
 */
public final class SubjectRule {
  static final String GRAMMAR = "address, user, referer, user-agent, path[:N], field:NAME, all";
  private static final Pattern PATH = Pattern.compile("path(?::([1-9]\\d?))?");
  private static final int WHOLE = Integer.MAX_VALUE;
  private final String text;
  private final List<Part> parts = new ArrayList<>();

  /** Throws an IllegalArgumentException that names the rule. */
  public SubjectRule(String text) {
    this.text = text;
    for (String part : text.split("\\+", -1)) {
      parts.add(part(part));
    }
  }

  private static Part part(String part) {
    Matcher path = PATH.matcher(part);
    if (path.matches()) {
      return new Part(
          Role.PATH, path.group(1) == null ? WHOLE : Integer.parseInt(path.group(1)), "");
    }
    if (part.startsWith("path:")) {
      throw new IllegalArgumentException(
          "'" + part + "': the N of path:N must be a whole number from 1 to 99");
    }
    if (part.startsWith("field:") && part.length() > 6) {
      return new Part(Role.FIELD, 0, part.substring(6));
    }
    return switch (part) {
      case "address" -> new Part(Role.ADDRESS, 0, "");
      case "user" -> new Part(Role.USER, 0, "");
      case "referer" -> new Part(Role.REFERER, 0, "");
      case "user-agent" -> new Part(Role.USER_AGENT, 0, "");
      case "all" -> new Part(Role.ALL, 0, "");
      default ->
          throw new IllegalArgumentException(
              "'" + part + "' must be one of " + GRAMMAR + ", or several joined by +");
    };
  }

  /** The subject of a record; null if it has none. */
  @Nullable String of(Fields fields, Names names) throws Unreadable {
    if (parts.size() == 1) {
      return value(parts.get(0), fields, names);
    }
    List<String> values = new ArrayList<>();
    for (Part part : parts) {
      String value = value(part, fields, names);
      if (value == null) {
        return null;
      }
      values.add(value);
    }
    return String.join(" ", values);
  }

  private static @Nullable String value(Part part, Fields fields, Names names) throws Unreadable {
    return switch (part.role) {
      case ALL -> "all";
      case FIELD -> names.field(fields, part.field);
      case PATH -> {
        String request = names.value(fields, Role.PATH);
        yield request == null ? null : prefix(request, part.segments);
      }
      default -> names.value(fields, part.role);
    };
  }

  /* Of "GET /a/b?c HTTP/1.1", of a URL or of a path: the path without its query. */
  static String prefix(String request, int segments) {
    String[] words = request.split(" ");
    String path = words.length >= 2 && !words[0].startsWith("/") ? words[1] : words[0];
    int scheme = path.indexOf("://");
    if (scheme > 0) {
      int slash = path.indexOf('/', scheme + 3);
      path = slash < 0 ? "/" : path.substring(slash);
    }
    int end = 0;
    int seen = 0;
    while (end < path.length() && path.charAt(end) != '?' && path.charAt(end) != '#') {
      if (path.charAt(end) == '/' && ++seen > segments) {
        break;
      }
      end++;
    }
    return end == 0 ? "/" : path.substring(0, end);
  }

  @Override
  public String toString() {
    return text;
  }

  /** What a value is of a request, whatever the log calls it. */
  enum Role {
    ADDRESS,
    USER,
    REFERER,
    USER_AGENT,
    PATH,
    TIME,
    BYTES,
    FIELD,
    ALL
  }

  private record Part(Role role, int segments, String field) {}
}
