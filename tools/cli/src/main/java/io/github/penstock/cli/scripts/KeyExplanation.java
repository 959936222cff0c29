package io.github.penstock.cli.scripts;

import static io.github.penstock.report.ReportFiles.fields;

import io.github.penstock.core.internal.node.ClientNumbers;
import io.github.penstock.operations.state.StoredKey;
import io.github.penstock.operations.state.TierUse;
import io.github.penstock.report.table.FigureKind;
import io.github.penstock.report.table.ResultTable;
import io.github.penstock.report.text.NumberText;
import io.github.penstock.report.text.SafeText;
import io.github.penstock.scripts.LuaScript;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Stored state and its meaning.
 *
 * @param script the name of the script, or {@link #EITHER}
 * @param about the policy and so on, as far as the key tells them
 * @param oneCall the reply to a call of cost 1 now; empty if it is not known
 * @param held units that reservations hold, by the time in µs at which they run out; null for a key
 *     that they do not hold for
 */
record KeyExplanation(
    StoredKey stored,
    String script,
    String about,
    List<TierUse> tiers,
    List<Long> oneCall,
    @Nullable SortedMap<Long, Long> held) {
  /** The script of a bucket whose limit is not given. */
  static final String EITHER = "token-bucket or leaky-bucket";

  private static final int LONGEST = 400;
  private static final long MOST_SECONDS = 100_000_000_000L;

  KeyExplanation {
    tiers = List.copyOf(tiers);
    oneCall = List.copyOf(oneCall);
  }

  KeyExplanation(
      StoredKey stored, String script, String about, List<TierUse> tiers, List<Long> oneCall) {
    this(stored, script, about, tiers, oneCall, null);
  }

  KeyExplanation holding(SortedMap<Long, Long> units) {
    return new KeyExplanation(stored, script, about, tiers, oneCall, units);
  }

  Map<String, Object> values() {
    return fields(
        "key",
        stored.key(),
        "script",
        script,
        "stored",
        stored.value(),
        "ttl_ms",
        stored.ttlMs(),
        "now_us",
        stored.nowUs(),
        "tiers",
        tiers,
        "held",
        held,
        "call_of_cost_1",
        oneCall.isEmpty() ? null : oneCall,
        "most_calls_per_trip",
        script.equals(EITHER) ? null : mostCallsPerTrip());
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(SafeText.terminal(stored.key(), LONGEST));
    lines.add("  " + about);
    lines.add("  " + trips());
    if (stored.value() == null) {
      lines.add("  Nothing is stored, so nothing is used.");
    } else {
      lines.add("  stored: " + SafeText.terminal(stored.value(), LONGEST));
      lines.add("  " + life());
    }
    if (held != null) {
      held.forEach(
          (untilUs, units) -> lines.add("  held: %d until %s".formatted(units, time(untilUs))));
    }
    if (tiers.isEmpty()) {
      return lines;
    }
    lines.addAll(
        new ResultTable<Integer>("Tiers", IntStream.range(0, tiers.size()).boxed().toList())
            .figure("tier", FigureKind.COUNT, i -> i + 1)
            .figure("used", FigureKind.WRITTEN, i -> tiers.get(i).used().toPlainString())
            .figure("remaining", FigureKind.WRITTEN, i -> remaining(tiers.get(i)))
            .figure("turn in s", FigureKind.WRITTEN, i -> tiers.get(i).turnInS().toPlainString())
            .spared(1)
            .figure(
                "unused in s", FigureKind.WRITTEN, i -> tiers.get(i).unusedInS().toPlainString())
            .figure("unused at", FigureKind.WRITTEN, i -> at(tiers.get(i).unusedInS()))
            .lines());
    if (!oneCall.isEmpty()) {
      lines.add("  A call of cost 1 now: " + decision());
    }
    if (held == null && tiers.stream().anyMatch(tier -> tier.remaining() == null)) {
      lines.add("  A window's key does not name its limit: give it with --limit.");
    }
    return lines;
  }

  /* Rule C6. */
  private long mostCallsPerTrip() {
    boolean shared = held == null && !script.equals(LuaScript.LEAKY_BUCKET.scriptName());
    return shared ? ClientNumbers.TRIP_CALLS : 1;
  }

  private String trips() {
    if (mostCallsPerTrip() == 1) {
      return "Each call has a trip of its own.";
    }
    return "Calls per trip: up to %s of one cost (penstock.shared.calls)%s."
        .formatted(
            NumberText.count(mostCallsPerTrip()), script.equals(EITHER) ? ", 1 if leaky" : "");
  }

  private static String remaining(TierUse tier) {
    return tier.remaining() == null ? "?" : tier.remaining().toPlainString();
  }

  private String decision() {
    String wait = BigDecimal.valueOf(oneCall.get(3), 6).stripTrailingZeros().toPlainString() + " s";
    if (oneCall.get(0) == 0) {
      return "denied, wait " + wait + ".";
    }
    String remaining = "allowed, " + NumberText.count(oneCall.get(2)) + " remain";
    return remaining + (oneCall.get(3) == 0 ? "." : "; its turn is in " + wait + " if it leaks.");
  }

  private String life() {
    return stored.ttlMs() < 0
        ? "It never expires, so a Penstock script was not the last to write it."
        : "It expires in " + BigDecimal.valueOf(stored.ttlMs(), 3).toPlainString() + " s.";
  }

  private String at(BigDecimal unusedInS) {
    if (unusedInS.signum() == 0) {
      return "now";
    }
    if (unusedInS.compareTo(BigDecimal.valueOf(MOST_SECONDS)) > 0) {
      return "never";
    }
    long us = stored.nowUs() + unusedInS.movePointRight(6).longValue();
    return time(us);
  }

  private static String time(long us) {
    return Instant.EPOCH.plus(us, ChronoUnit.MICROS).truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
