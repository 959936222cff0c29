package io.github.penstock.simulator.traffic;

import io.github.penstock.core.limit.LeaseTerms;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.Limits;
import io.github.penstock.report.text.NumberText;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Processes that lease units of every subject.
 *
 * @param processes 1 to {@link #MOST_PROCESSES}
 * @param terms how each of them leases
 */
public record LeaseSettings(int processes, LeaseTerms terms) {
  public static final int MOST_PROCESSES = 10_000;
  private static final Pattern TERMS = Pattern.compile("(\\d{1,13}),(\\d{1,13}[a-z]{1,2})");

  public LeaseSettings {
    if (processes < 1 || processes > MOST_PROCESSES) {
      throw new IllegalArgumentException(
          "processes must be from 1 to " + MOST_PROCESSES + ": " + processes);
    }
  }

  /**
   * The terms that a text such as {@code 100,500ms} describes; the time is written as a limit's
   * period.
   */
  public static LeaseTerms terms(String text) {
    Matcher found = TERMS.matcher(text);
    try {
      if (found.matches()) {
        Limit sameTime = Limits.parse("fixed-window:1/" + found.group(2));
        return new LeaseTerms(Long.parseLong(found.group(1)), sameTime.tiers().get(0).period());
      }
    } catch (IllegalArgumentException outOfBounds) {
      throw wrong(text, outOfBounds);
    }
    throw wrong(text, null);
  }

  private static IllegalArgumentException wrong(String text, @Nullable Exception cause) {
    return new IllegalArgumentException(
        "'" + text + "' must be UNITS,TIME such as 100,500ms: 2 to 10^12 units, for 1ms to 1h",
        cause);
  }

  /** Returns how long units are held at most. */
  public long atMostUs() {
    return TimeUnit.MICROSECONDS.convert(terms.atMost());
  }

  /** Who does what: {@code 4 processes that lease 100 units for 500 ms at most}. */
  @Override
  public String toString() {
    return "%s that %s %s for %s at most"
        .formatted(
            processes == 1 ? "1 process" : NumberText.count(processes) + " processes",
            processes == 1 ? "leases" : "lease",
            NumberText.count(terms.most(), "unit"),
            NumberText.exactTime(atMostUs()));
  }
}
