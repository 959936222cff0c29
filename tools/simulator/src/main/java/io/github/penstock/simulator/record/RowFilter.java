package io.github.penstock.simulator.record;

import io.github.penstock.simulator.record.SubjectRule.Role;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which records of a log are kept: {@code status=200}, {@code status!=429}, {@code method=POST},
 * {@code host=example.com}, {@code path=/api} (a path that begins so).
 *
 * @param equal whether the value must be this one, or must not be
 */
public record RowFilter(Role role, boolean equal, String value) {
  /** The status of a request that a limit denied. */
  public static final RowFilter DENIED = new RowFilter(Role.STATUS, true, "429");

  private static final Pattern REQUEST = Pattern.compile("([A-Za-z]+) .*");
  private static final Pattern FILTER = Pattern.compile("(status|method|host|path)(!?=)(.+)");

  /** Of a text. Throws an IllegalArgumentException that names the rule. */
  public static RowFilter of(String text) {
    Matcher filter = FILTER.matcher(text);
    if (!filter.matches()) {
      throw new IllegalArgumentException(
          "'"
              + text
              + "' must be FIELD=VALUE or FIELD!=VALUE; FIELD is status, method, host or path, such"
              + " as status!=429 or path=/api");
    }
    return new RowFilter(
        Role.valueOf(filter.group(1).toUpperCase(Locale.ROOT)),
        filter.group(2).equals("="),
        filter.group(3));
  }

  public boolean keeps(RecordFields fields, FieldNames names) throws UnreadableRecordException {
    return equal == matches(found(fields, names));
  }

  /** Returns whether a record has the value, if it has the field at all. */
  public boolean isIn(RecordFields fields, FieldNames names) {
    return matches(names.known(fields, role));
  }

  private boolean matches(@Nullable String found) {
    return found != null
        && (role == Role.PATH ? found.startsWith(value) : found.equalsIgnoreCase(value));
  }

  private @Nullable String found(RecordFields fields, FieldNames names)
      throws UnreadableRecordException {
    if (role == Role.STATUS || role == Role.HOST) {
      return names.value(fields, role);
    }
    String request = names.known(fields, Role.PATH);
    if (role == Role.PATH) {
      request = request == null ? names.value(fields, role) : request;
      return request == null ? null : SubjectRule.prefix(request, Integer.MAX_VALUE);
    }
    Matcher line = REQUEST.matcher(request == null ? "" : request);
    return line.matches() ? line.group(1) : names.value(fields, role);
  }
}
