package io.github.penstock.simulator.log;

import io.github.penstock.core.limit.Limit;
import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.report.text.NumberText;
import io.github.penstock.report.text.SafeText;
import io.github.penstock.simulator.record.FieldNames;
import io.github.penstock.simulator.record.FormatGuess;
import io.github.penstock.simulator.record.LogFormat;
import io.github.penstock.simulator.record.NumberRule;
import io.github.penstock.simulator.record.RecordFields;
import io.github.penstock.simulator.record.RecordFormat;
import io.github.penstock.simulator.record.TimeText;
import io.github.penstock.simulator.record.UnreadableRecordException;
import io.github.penstock.simulator.tokens.TokenCall;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Reads logs of calls whose cost is known at their end: CSV or JSON Lines, in which every line must
 * contain a time, a subject, a duration, an estimate and the actual use. An unreadable line is an
 * error that names file, line and rule. Not safe for use by several threads.
 */
public final class TokenLog implements LogReader {
  /** The most calls that are played. */
  public static final int MOST = 200_000;

  private static final int LONGEST_TEXT = 400;
  private static final long SECOND_US = 1_000_000;
  private final LogSettings settings;
  private final CallNumbers numbers;
  private final List<TokenCall> calls = new ArrayList<>();
  private FieldNames names = new FieldNames();
  private TimeText times;

  private TokenLog(LogSettings settings, CallNumbers numbers) {
    this.settings = settings;
    this.numbers = numbers;
    times = settings.times();
  }

  /**
   * The numbers of a call.
   *
   * @param duration seconds
   * @param estimated and {@code used}: units
   */
  public record CallNumbers(NumberRule duration, NumberRule estimated, NumberRule used) {}

  /** The calls of all files in order of time, at least one. */
  public static List<TokenCall> read(LogSettings settings, CallNumbers numbers) {
    TokenLog log = new TokenLog(settings, numbers);
    settings.files().forEach(file -> log.readAll(file, bytes -> {}));
    if (log.calls.isEmpty()) {
      throw new UserErrorException("there is no call in " + settings.names() + ".");
    }
    log.calls.sort(Comparator.comparingLong(TokenCall::timeUs));
    return log.calls;
  }

  @Override
  public RecordFormat begin(String file, List<String> beginning) {
    names = new FieldNames();
    times = settings.times();
    LogFormat known = FormatGuess.of(file, beginning, settings.format());
    if (known.isFixed()) {
      throw new UserErrorException(
          "--log %s must be CSV or JSON: an access log holds no estimates.".formatted(file));
    }
    return known.records(settings.columns());
  }

  @Override
  public void unreadable(String file, long line, String reason) {
    String text = "%s, line %d: %s.".formatted(file, line, reason);
    throw new UserErrorException(SafeText.terminal(text, LONGEST_TEXT));
  }

  @Override
  public void cutShort(String file, String reason) {
    throw new UserErrorException("--log " + file + " is incomplete: " + reason);
  }

  @Override
  public void read(RecordFields fields) throws UnreadableRecordException {
    String time = settings.time(fields, names);
    String subject = settings.subject().of(fields, names);
    require(time != null, "no time");
    require(subject != null, "no subject (--subject " + settings.subject() + ")");
    add(
        checked(
            times.micros(String.valueOf(time)),
            String.valueOf(subject),
            numbers.duration.of(
                fields, names, "duration", SECOND_US, 0, TokenCall.LONGEST_US / SECOND_US),
            numbers.estimated.of(fields, names, "estimate", 1, 1, Limit.MAX_UNITS),
            numbers.used.of(fields, names, "number of units used", 1, 0, Limit.MAX_UNITS)));
  }

  private static TokenCall checked(
      long timeUs, String subject, long durationUs, long estimated, long used)
      throws UnreadableRecordException {
    try {
      return new TokenCall(timeUs, subject, durationUs, estimated, used);
    } catch (IllegalArgumentException wrong) {
      throw new UnreadableRecordException(String.valueOf(wrong.getMessage()));
    }
  }

  private static void require(boolean holds, String reason) throws UnreadableRecordException {
    if (!holds) {
      throw new UnreadableRecordException(reason);
    }
  }

  private void add(TokenCall call) {
    if (!settings.sample().has(call.subject())) {
      return;
    }
    if (calls.size() == MOST) {
      throw new UserErrorException(
          "%s has more than %s calls, which are too many for the exact model: give fewer, or a --sample of their subjects."
              .formatted(settings.names(), NumberText.count(MOST)));
    }
    calls.add(call);
  }
}
