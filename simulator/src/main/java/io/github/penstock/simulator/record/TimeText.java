package io.github.penstock.simulator.record;

import io.github.penstock.simulator.traffic.TrafficRequest;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads times: ISO 8601 (a space for the T is fine; UTC where no zone is given), seconds,
 * milliseconds, microseconds or nanoseconds since 1970 (known by their size), the log formats' own
 * {@code 10/Oct/2000:13:55:36 -0700}, or a pattern that was given. Not safe for use by several
 * threads.
 */
public final class TimeText {
  private static final Pattern NUMBER =
      Pattern.compile("\\d{1,20}(?:\\.\\d{0,20})?(?:[eE]\\+?\\d{1,2})?");
  private static final DateTimeFormatter ISO =
      new DateTimeFormatterBuilder()
          .parseCaseInsensitive()
          .append(DateTimeFormatter.ISO_LOCAL_DATE)
          .appendLiteral('T')
          .append(DateTimeFormatter.ISO_LOCAL_TIME)
          .optionalStart()
          .appendOffset("+HH:MM", "Z")
          .optionalEnd()
          .optionalStart()
          .appendOffset("+HHMM", "Z")
          .optionalEnd()
          .toFormatter(Locale.ROOT);
  private static final DateTimeFormatter COMMON =
      DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ENGLISH);
  private static final BigDecimal MICROS = BigDecimal.valueOf(1_000_000);
  private final @Nullable DateTimeFormatter given;
  private @Nullable String lastText;
  private long lastUs;

  /** With a pattern of {@link DateTimeFormatter}, or null to find out. */
  public TimeText(@Nullable String pattern) {
    given = pattern == null ? null : DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH);
  }

  /** Microseconds since 1970, within what the scripts take. */
  public long micros(String text) throws UnreadableRecordException {
    if (!text.equals(lastText)) {
      lastUs = checked(text);
      lastText = text;
    }
    return lastUs;
  }

  private long checked(String text) throws UnreadableRecordException {
    long micros;
    try {
      micros = given == null ? found(text) : micros(given.parse(text));
    } catch (DateTimeException | ArithmeticException wrong) {
      throw new UnreadableRecordException("not a time: " + text);
    }
    if (micros < TrafficRequest.FIRST_US || micros >= TrafficRequest.END_US) {
      throw new UnreadableRecordException("the time must be from 2001-09-09 to 2112: " + text);
    }
    return micros;
  }

  private static long found(String text) {
    if (NUMBER.matcher(text).matches()) {
      return sinceEpoch(new BigDecimal(text));
    }
    if (text.length() > 11 && text.charAt(2) == '/') {
      return micros(COMMON.parse(text));
    }
    String iso = text.length() > 10 && text.charAt(10) == ' ' ? withT(text) : text;
    return micros(ISO.parse(iso));
  }

  private static String withT(String text) {
    return text.substring(0, 10) + "T" + text.substring(11).replace(" ", "");
  }

  /* Seconds have ten digits until 2286, and each finer unit three more. */
  private static long sinceEpoch(BigDecimal number) {
    int digits = number.precision() - number.scale();
    int finer = digits <= 11 ? 0 : digits <= 14 ? 1 : digits <= 17 ? 2 : 3;
    BigDecimal seconds = number.movePointLeft(3 * finer);
    return seconds.multiply(MICROS).setScale(0, RoundingMode.FLOOR).longValueExact();
  }

  private static long micros(TemporalAccessor parsed) {
    Instant instant;
    if (parsed.isSupported(ChronoField.INSTANT_SECONDS)) {
      instant = Instant.from(parsed);
    } else {
      instant = LocalDateTime.from(parsed).toInstant(ZoneOffset.UTC);
    }
    return Math.addExact(
        Math.multiplyExact(instant.getEpochSecond(), 1_000_000), instant.getNano() / 1_000);
  }
}
