package io.github.penstock.testkit.reservation;

import io.github.penstock.testkit.reservation.HeldTier.Kind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The state of an {@code r} key at a time, for people.
 *
 * @param tiers the usage of each tier; empty for {@code concurrency}
 * @param held the sums that are held, by the time in µs at which they run out
 */
public record HeldSummary(List<TierSummary> tiers, SortedMap<Long, Long> held) {
  private static final long MOST_UNITS = 1_000_000_000_000L;

  /** Copies the list. */
  public HeldSummary {
    tiers = List.copyOf(tiers);
    held = Collections.unmodifiableSortedMap(held);
  }

  /**
   * The usage of a tier.
   *
   * @param used whole units, rounded up
   * @param remaining units beside those that are held; null where no key tells the limit
   * @param unusedInUs µs until it is unused, if no held units expire
   */
  public record TierSummary(long used, @Nullable Long remaining, long unusedInUs) {}

  /**
   * Reads a stored value.
   *
   * @param latin a character for each byte
   * @param tiers the numbers that the key's marker has of each tier
   * @throws IllegalArgumentException if {@code reserve} with these numbers stores no such value
   */
  public static HeldSummary read(String latin, String script, List<List<Long>> tiers, long nowUs) {
    String hex = HexFormat.of().formatHex(latin.getBytes(StandardCharsets.ISO_8859_1));
    try {
      List<HeldTier> read = new ArrayList<>();
      for (List<Long> numbers : tiers) {
        read.add(tier(script, numbers));
      }
      HeldKey key = HeldKey.read(hex, read).at(nowUs);
      List<TierSummary> summaries =
          key.levels().stream()
              .filter(level -> level.tier().kind() != Kind.CONCURRENCY)
              .map(level -> summary(level, key.held()))
              .toList();
      return new HeldSummary(summaries, key.holds());
    } catch (ReservationException problem) {
      throw new IllegalArgumentException(problem.argument() + " must be what reserve stores");
    }
  }

  private static TierSummary summary(HeldLevel level, long held) {
    boolean known = level.tier().kind() == Kind.BUCKET;
    Long remaining = known ? level.remaining(held) : null;
    return new TierSummary(level.usedUnits(), remaining, level.resetUs());
  }

  private static HeldTier tier(String script, List<Long> numbers) throws ReservationException {
    return switch (script) {
      case "token-bucket" -> HeldTier.bucket(numbers.get(0), numbers.get(1), numbers.get(2));
      case "fixed-window" -> new HeldTier(Kind.FIXED_WINDOW, MOST_UNITS, 0, numbers.get(0));
      case "sliding-window" -> new HeldTier(Kind.SLIDING_WINDOW, MOST_UNITS, 0, numbers.get(0));
      default -> new HeldTier(Kind.CONCURRENCY, MOST_UNITS, 0, 0);
    };
  }
}
