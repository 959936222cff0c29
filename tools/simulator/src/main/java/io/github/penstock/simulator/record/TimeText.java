package io.github.penstock.simulator.record;

import io.github.penstock.simulator.traffic.TrafficRequest;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads times: ISO 8601 (a space for the T is fine), seconds, milliseconds, microseconds or
 * nanoseconds since 1970 (known by their size), numbers below 10^9 that count from the beginning of
 * a trace, the log formats' own {@code 10/Oct/2000:13:55:36 -0700}, or a pattern that was given. A
 * time without a zone is one of a given zone; where clocks were set back and it could be either of
 * two, it is the one nearer to the time before. Not safe for use by several threads.
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
          .toFormatter(Locale.ROOT)
          .withResolverStyle(ResolverStyle.STRICT);
  private static final DateTimeFormatter COMMON = strict("dd/MMM/yyyy:HH:mm:ss[.SSSSSS][.SSS][ Z]");
  /* Python writes 2026-01-05 09:03:57,123. */
  private static final int COMMA = 19;
  private static final BigDecimal MICROS = BigDecimal.valueOf(1_000_000);
  private static final BigDecimal FIRST_SECOND = BigDecimal.valueOf(1_000_000_000);
  /* 2020-01-01, at the beginning of every period up to a day. */
  private static final long TRACE_BEGIN_US = 1_577_836_800_000_000L;
  private static final List<String> UNITS = List.of("s", "ms", "us", "ns");
  private final @Nullable DateTimeFormatter given;
  private final int unit;
  private boolean fromZero;
  private final ZoneId zone;
  private @Nullable String lastText;
  private long lastUs;
  private boolean withoutZone;
  private boolean twice;

  /**
   * With a pattern of {@link DateTimeFormatter}, a unit of numbers (s, ms, us, ns), or null to find
   * out.
   *
   * @param zone of times that name none
   */
  public TimeText(@Nullable String pattern, ZoneId zone) {
    given = pattern == null || isUnit(pattern) ? null : strict(pattern);
    unit = UNITS.indexOf(String.valueOf(pattern));
    this.zone = zone;
  }

  /* Without an era, a strict year of an era would be none. */
  private static DateTimeFormatter strict(String pattern) {
    return new DateTimeFormatterBuilder()
        .appendPattern(pattern)
        .parseDefaulting(ChronoField.ERA, 1)
        .toFormatter(Locale.ENGLISH)
        .withResolverStyle(ResolverStyle.STRICT);
  }

  /** Returns whether a format is a unit of numbers, not a pattern. */
  public static boolean isUnit(String format) {
    return UNITS.contains(format);
  }

  /** Returns whether the last time was a number that counts from the beginning of a trace. */
  public boolean fromZero() {
    return fromZero;
  }

  /** Returns whether the last time named no zone. */
  public boolean withoutZone() {
    return withoutZone;
  }

  /** Returns whether the last time named no zone and was there twice, as clocks were set back. */
  public boolean twice() {
    return twice;
  }

  /** Microseconds since 1970, within the scripts' bounds. */
  public long micros(String text) throws UnreadableRecordException {
    if (!text.equals(lastText)) {
      lastUs = checked(text);
      lastText = text;
    }
    return lastUs;
  }

  private long checked(String text) throws UnreadableRecordException {
    long micros;
    withoutZone = false;
    twice = false;
    fromZero = false;
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

  private long found(String text) throws UnreadableRecordException {
    if (NUMBER.matcher(text).matches()) {
      return sinceEpoch(new BigDecimal(text));
    }
    if (text.length() > 11 && text.charAt(2) == '/') {
      return micros(COMMON.parse(text));
    }
    String iso = text.length() > 10 && text.charAt(10) == ' ' ? withT(text) : text;
    iso = iso.indexOf(',') == COMMA ? iso.replace(',', '.') : iso;
    return micros(ISO.parse(iso));
  }

  private static String withT(String text) {
    return text.substring(0, 10) + "T" + text.substring(11).replace(" ", "");
  }

  /*
   * Seconds have ten digits until 2286, and each finer unit three more. Smaller numbers count from the beginning of
   * a trace, in the unit that was given.
   */
  private long sinceEpoch(BigDecimal number) {
    int digits = number.precision() - number.scale();
    if (unit >= 0 || number.compareTo(FIRST_SECOND) < 0) {
      BigDecimal micros = number.movePointLeft(3 * Math.max(0, unit)).multiply(MICROS);
      long us = micros.setScale(0, RoundingMode.FLOOR).longValueExact();
      fromZero = us < TrafficRequest.FIRST_US;
      return fromZero ? TRACE_BEGIN_US + us : us;
    }
    int finer = digits <= 11 ? 0 : digits <= 14 ? 1 : digits <= 17 ? 2 : 3;
    BigDecimal seconds = number.movePointLeft(3 * finer);
    return seconds.multiply(MICROS).setScale(0, RoundingMode.FLOOR).longValueExact();
  }

  private long micros(TemporalAccessor parsed) throws UnreadableRecordException {
    return parsed.isSupported(ChronoField.INSTANT_SECONDS)
        ? micros(Instant.from(parsed))
        : local(LocalDateTime.from(parsed));
  }

  private long local(LocalDateTime time) throws UnreadableRecordException {
    List<ZoneOffset> offsets = zone.getRules().getValidOffsets(time);
    withoutZone = true;
    twice = offsets.size() > 1;
    return offsets.stream()
        .map(offset -> micros(time.toInstant(offset)))
        .min(Comparator.comparingLong(micros -> Math.abs(micros - lastUs)))
        .orElseThrow(
            () ->
                new UnreadableRecordException(
                    "no time of %s, where clocks were set forward over it: %s"
                        .formatted(zone, time)));
  }

  private static long micros(Instant instant) {
    return Math.addExact(
        Math.multiplyExact(instant.getEpochSecond(), 1_000_000), instant.getNano() / 1_000);
  }
}
