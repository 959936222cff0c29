package io.github.penstock.simulator.record;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Who is limited: {@code address[/BITS]} (of IPv6 the first bits), {@code forwarded[/BITS]} (the
 * client that a proxy names, or the address where it names none), {@code user}, {@code referer},
 * {@code user-agent}, {@code path[:N]} (the first N segments), {@code field:NAME[/BITS]} (an
 * address in it as {@code address}), {@code all} (everybody together), or several of them joined by
 * {@code +}.
 */
public final class SubjectRule {
  private static final String GRAMMAR =
      "address[/BITS], forwarded[/BITS], user, referer, user-agent, path[:N], field:NAME[/BITS], all";
  /* Numbers and points, but not four numbers; a number alone may be somebody's name. */
  private static final Pattern CUT_ADDRESS =
      Pattern.compile("(?!\\d{1,3}(\\.\\d{1,3}){3}$)\\d*\\.[\\d.]*");

  private static final Pattern PART =
      Pattern.compile(
          "(user|referer|user-agent|path|all)|path:([1-9]\\d?)|field:(.+?)(?:/(\\d{1,3}))?|(address|forwarded)(?:/(\\d{1,3}))?");
  private final String text;
  private final List<Part> parts;

  /** Throws an IllegalArgumentException that names the rule. */
  public SubjectRule(String text) {
    this.text = text;
    this.parts = Arrays.stream(text.split("\\+", -1)).map(SubjectRule::part).toList();
  }

  private static Part part(String text) {
    Matcher part = PART.matcher(text);
    if (!part.matches()) {
      throw new IllegalArgumentException(
          text.startsWith("path:")
              ? "'" + text + "': the N of path:N must be a whole number from 1 to 99"
              : "'" + text + "' must be one of " + GRAMMAR + ", or several joined by +");
    }
    if (part.group(1) != null) {
      String role = part.group(1).toUpperCase(Locale.ROOT).replace('-', '_');
      return new Part(Role.valueOf(role), Integer.MAX_VALUE, "");
    }
    if (part.group(2) != null) {
      return new Part(Role.PATH, Integer.parseInt(part.group(2)), "");
    }
    String given = part.group(3) == null ? part.group(6) : part.group(4);
    int bits = given == null ? AddressText.BITS : Integer.parseInt(given);
    if (bits < 1 || bits > AddressText.BITS) {
      throw new IllegalArgumentException(
          "'" + text + "': the bits of an address are from 1 to 128");
    }
    return part.group(3) == null
        ? new Part(Role.valueOf(part.group(5).toUpperCase(Locale.ROOT)), bits, "")
        : new Part(Role.FIELD, bits, part.group(3));
  }

  /** The subject of a record; null if it has none. */
  public @Nullable String of(RecordFields fields, FieldNames names)
      throws UnreadableRecordException {
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

  private static @Nullable String value(Part part, RecordFields fields, FieldNames names)
      throws UnreadableRecordException {
    return switch (part.role) {
      case ALL -> "all";
      case FIELD -> {
        String value = names.field(fields, part.field);
        yield value != null && AddressText.isAddress(value)
            ? AddressText.of(value, part.first)
            : value;
      }
      case PATH -> {
        String request = names.value(fields, Role.PATH);
        yield request == null ? null : prefix(request, part.first);
      }
      case ADDRESS, FORWARDED -> {
        String forwarded = part.role == Role.ADDRESS ? null : names.value(fields, part.role);
        String address = forwarded == null ? names.value(fields, Role.ADDRESS) : forwarded;
        if (address != null && CUT_ADDRESS.matcher(address).matches()) {
          throw new UnreadableRecordException(
              "the line is torn: its address is cut off: " + address);
        }
        yield address == null
            ? null
            : AddressText.of(address, Math.min(part.first, AddressText.BITS));
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

  /** The part of a request that a value is, for any name in the log. */
  public enum Role {
    ADDRESS,
    FORWARDED,
    USER,
    REFERER,
    USER_AGENT,
    PATH,
    METHOD,
    HOST,
    STATUS,
    TIME,
    BYTES,
    FIELD,
    ALL
  }

  /* This number of segments of a path, or bits of an address. */
  private record Part(Role role, int first, String field) {}
}
