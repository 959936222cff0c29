package io.github.penstock.simulator.record;

import io.github.penstock.simulator.record.SubjectRule.Role;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.io.IOUtils;
import org.apache.commons.io.function.Uncheck;
import org.jspecify.annotations.Nullable;

/**
 * The names that logs give to their fields. The first name of a role that a record has is
 * remembered and asked first. Not safe for use by several threads.
 */
public final class FieldNames {
  private static final Map<Role, List<String>> KNOWN = known();
  /* Milliseconds, microseconds or nanoseconds since 1970, or the fraction of a clock's second. */
  private static final Pattern FRACTION =
      Pattern.compile("^(\\d{13}|\\d{16}|\\d{19})$|^\\d[^.]*\\.(\\d+)");
  private static final int SECONDS = 10;
  private static final int MOST_DIGITS = 18;
  private final Map<Role, String> found = new EnumMap<>(Role.class);

  /** The value of a role; null if the record has the field and nothing in it. */
  public @Nullable String value(RecordFields fields, Role role) throws UnreadableRecordException {
    String name = found.get(role);
    String value = name == null ? null : fields.get(name);
    if (value != null) {
      return value;
    }
    List<String> known = KNOWN.getOrDefault(role, List.of());
    List<String> held = known.stream().filter(each -> fields.get(each) != null).toList();
    if (!held.isEmpty()) {
      String taken = role == Role.TIME ? finest(fields, held) : held.get(0);
      found.put(role, taken);
      return fields.get(taken);
    }
    if (name == null && known.stream().noneMatch(fields.names()::contains)) {
      throw new UnreadableRecordException(
          "no field for the %s among %s: name it with %s"
              .formatted(title(role), String.join(", ", fields.names()), option(role)));
    }
    return null;
  }

  /** The value of a role by the first name that has one; null if there is none. */
  @Nullable String known(RecordFields fields, Role role) {
    for (String name : KNOWN.getOrDefault(role, List.of())) {
      String value = fields.get(name);
      if (value != null) {
        return value;
      }
    }
    return null;
  }

  /* Of several times the one with the most digits of a second. */
  private static String finest(RecordFields fields, List<String> held) {
    String finest = held.get(0);
    for (String each : held) {
      boolean finer = digits(fields.get(each)) > digits(fields.get(finest));
      finest = finer ? each : finest;
    }
    return finest;
  }

  private static int digits(@Nullable String time) {
    Matcher found = FRACTION.matcher(String.valueOf(time));
    if (!found.find()) {
      return 0;
    }
    String whole = found.group(1);
    return whole == null ? found.end(2) - found.start(2) : whole.length() - SECONDS;
  }

  /** The value of a field that was asked for by name; null if it is empty. */
  public @Nullable String field(RecordFields fields, String name) throws UnreadableRecordException {
    String value = fields.get(name);
    if (value == null && !fields.names().contains(name)) {
      throw new UnreadableRecordException(
          "no field '" + name + "' among " + String.join(", ", fields.names()));
    }
    return value;
  }

  /**
   * The value of a field, or the sum of several; null if all are empty.
   *
   * @param of names, joined by {@code +field:}
   */
  @Nullable String sum(RecordFields fields, String of) throws UnreadableRecordException {
    String[] names = of.split(" ?\\+ ?field:");
    if (names.length == 1) {
      return field(fields, of);
    }
    BigDecimal sum = null;
    for (String name : names) {
      String value = field(fields, name);
      try {
        BigDecimal number = value == null ? BigDecimal.ZERO : new BigDecimal(value);
        if (number.signum() < 0 || Math.abs((long) number.scale()) > MOST_DIGITS) {
          throw new NumberFormatException(value);
        }
        sum = value == null ? sum : sum == null ? number : sum.add(number);
      } catch (NumberFormatException wrong) {
        throw new UnreadableRecordException("field '" + name + "' is not a number: " + value);
      }
    }
    return sum == null ? null : sum.toPlainString();
  }

  private static Map<Role, List<String>> known() {
    String path = "/io/github/penstock/simulator/record/field-names.txt";
    Map<Role, List<String>> known = new EnumMap<>(Role.class);
    Uncheck.get(() -> IOUtils.resourceToString(path, StandardCharsets.UTF_8))
        .lines()
        .filter(line -> !line.isEmpty() && !line.startsWith("#"))
        .map(line -> List.of(line.split(" ")))
        .forEach(
            words ->
                known
                    .computeIfAbsent(Role.valueOf(words.get(0)), role -> new ArrayList<>())
                    .addAll(words.subList(1, words.size())));
    return known;
  }

  /** Returns whether one of these is a known name of the time. */
  static boolean hasTime(List<String> names) {
    return KNOWN.getOrDefault(Role.TIME, List.of()).stream().anyMatch(names::contains);
  }

  private static String title(Role role) {
    return switch (role) {
      case ADDRESS -> "client's address";
      case FORWARDED -> "address that a proxy forwards";
      default -> role.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    };
  }

  private static String option(Role role) {
    return switch (role) {
      case TIME -> "--time NAME";
      case BYTES -> "--cost field:NAME";
      default -> "--subject field:NAME";
    };
  }
}
