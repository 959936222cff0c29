package io.github.penstock.cli.scripts;

import io.github.penstock.operations.state.StoredKey;
import io.github.penstock.operations.state.TierUse;
import io.github.penstock.report.console.TextTable;
import io.github.penstock.report.text.SafeText;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Stored state and its meaning.
 *
 * @param script the name of the script
 * @param about the policy and so on, as far as the key tells them
 */
record KeyExplanation(StoredKey stored, String script, String about, List<TierUse> tiers) {
  private static final int LONGEST = 400;
  private static final long MOST_SECONDS = 100_000_000_000L;

  KeyExplanation {
    tiers = List.copyOf(tiers);
  }

  /** For programs. */
  Map<String, Object> values() {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("key", stored.key());
    values.put("script", script);
    if (stored.value() != null) {
      values.put("stored", stored.value());
    }
    if (stored.second() != null) {
      values.put("stored_second", stored.second());
    }
    values.put("ttl_ms", stored.ttlMs());
    values.put("now_us", stored.nowUs());
    values.put("tiers", tiers);
    return values;
  }

  /** For people. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(SafeText.terminal(stored.key(), LONGEST));
    lines.add("  " + about);
    if (stored.value() == null) {
      lines.add("  Nothing is stored, so nothing is used.");
    } else {
      lines.add("  stored: " + SafeText.terminal(stored.value(), LONGEST));
      lines.add("  " + life());
    }
    TextTable table =
        new TextTable(0).row("tier", "used", "remaining", "turn in s", "unused in s", "unused at");
    for (int i = 0; i < tiers.size(); i++) {
      TierUse tier = tiers.get(i);
      BigDecimal remaining = tier.remaining();
      table.row(
          Integer.toString(i + 1),
          tier.used().toPlainString(),
          remaining == null ? "?" : remaining.toPlainString(),
          tier.turnInS().toPlainString(),
          tier.unusedInS().toPlainString(),
          at(tier.unusedInS()));
    }
    lines.addAll(table.optional(3).lines());
    if (tiers.stream().anyMatch(tier -> tier.remaining() == null)) {
      lines.add("  A window's key does not name its limit: give it with --limit.");
    }
    return lines;
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
    return Instant.EPOCH.plus(us, ChronoUnit.MICROS).truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
