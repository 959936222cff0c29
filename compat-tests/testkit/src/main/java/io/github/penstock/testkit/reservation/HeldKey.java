package io.github.penstock.testkit.reservation;

import static io.github.penstock.testkit.reservation.ReservationException.require;
import static java.math.BigInteger.ZERO;

import io.github.penstock.testkit.model.ProtocolBounds;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * The state of an {@code r} key.
 *
 * @param firstUs its first write
 * @param lastUs its last write, or the time that the levels are of
 * @param latestUs the latest of its writes
 * @param holds the sums that are held, by the time at which they run out
 */
record HeldKey(
    long firstUs,
    long lastUs,
    long latestUs,
    List<HeldLevel> levels,
    SortedMap<Long, Long> holds,
    boolean changed) {
  private static final int TIMES = 3;

  /** Nothing used and nothing held. */
  static HeldKey unused(List<HeldTier> tiers, long nowUs) {
    List<HeldLevel> levels = tiers.stream().map(tier -> tier.unused(nowUs)).toList();
    return new HeldKey(nowUs, nowUs, nowUs, levels, new TreeMap<>(), false);
  }

  /** Reads what is stored. */
  static HeldKey read(String hex, List<HeldTier> tiers) throws ReservationException {
    List<Object> values = PackedValues.read(hex, "state");
    require(values.size() == 1 && values.get(0) instanceof List<?>, "state");
    long[] numbers = PackedValues.numbers((List<?>) values.get(0), "state");
    require(numbers.length >= TIMES, "state");
    require(Math.min(numbers[0], numbers[1]) >= ProtocolBounds.FIRST_US, "state");
    require(Math.max(numbers[0], numbers[1]) <= numbers[2], "state");
    require(numbers[2] < ProtocolBounds.NOW_END, "state");
    List<HeldLevel> levels = new ArrayList<>();
    int next = TIMES;
    for (HeldTier tier : tiers) {
      require(next + tier.width() <= numbers.length, "state");
      levels.add(tier.read(Arrays.copyOfRange(numbers, next, next + tier.width()), numbers[1]));
      next += tier.width();
    }
    SortedMap<Long, Long> holds = new TreeMap<>();
    require((numbers.length - next) % 2 == 0, "state");
    long before = numbers[2];
    for (int i = next; i < numbers.length; i += 2) {
      require(numbers[i] > before && numbers[i] < ProtocolBounds.HELD_END, "state");
      require(numbers[i + 1] >= 1, "state");
      before = numbers[i];
      holds.put(numbers[i], numbers[i + 1]);
    }
    BigInteger held =
        holds.values().stream().map(BigInteger::valueOf).reduce(ZERO, BigInteger::add);
    require(held.compareTo(BigInteger.valueOf(ProtocolBounds.HELD_END)) < 0, "state");
    return new HeldKey(numbers[0], numbers[1], numbers[2], levels, holds, false);
  }

  /** The latest write of a stored value; -1 if it is not an {@code r} key. */
  static long latestUs(String hex) {
    try {
      List<Object> values = PackedValues.read(hex, "state");
      boolean list = values.get(0) instanceof List<?> fields && fields.size() >= TIMES;
      Object latest = list ? ((List<?>) values.get(0)).get(2) : null;
      return latest instanceof Number number ? number.longValue() : -1;
    } catch (ReservationException foreign) {
      return -1;
    }
  }

  /** The key at a time: expired units are charged as of their expiry. */
  HeldKey at(long nowUs) {
    HeldKey key = this;
    for (long untilUs : List.copyOf(holds.headMap(nowUs + 1).keySet())) {
      SortedMap<Long, Long> rest = new TreeMap<>(key.holds);
      long amount = Objects.requireNonNull(rest.remove(untilUs));
      key = key.with(level -> level.at(untilUs).charged(amount), untilUs, rest, true);
    }
    boolean cut = key.levels.stream().anyMatch(level -> level.isCutBy(nowUs));
    return key.with(level -> level.at(nowUs), nowUs, key.holds, key.changed || cut);
  }

  private HeldKey with(
      UnaryOperator<HeldLevel> change,
      long timeUs,
      SortedMap<Long, Long> newHolds,
      boolean isChanged) {
    List<HeldLevel> after = levels.stream().map(change).toList();
    return new HeldKey(firstUs, timeUs, latestUs, after, newHolds, isChanged);
  }

  long held() {
    return holds.values().stream().mapToLong(Long::longValue).sum();
  }

  HeldKey charged(long amount) {
    return with(level -> level.charged(amount), lastUs, holds, changed);
  }

  HeldKey holding(long untilUs, long amount) {
    SortedMap<Long, Long> after = new TreeMap<>(holds);
    if (amount > 0) {
      after.merge(untilUs, amount, Long::sum);
    }
    return with(UnaryOperator.identity(), lastUs, after, changed);
  }

  HeldKey releasing(long untilUs, long amount) {
    SortedMap<Long, Long> after = new TreeMap<>(holds);
    after.computeIfPresent(untilUs, (time, sum) -> sum <= amount ? null : sum - amount);
    return with(UnaryOperator.identity(), lastUs, after, changed);
  }

  /** Whether this amount can be held in addition to the used and held units. */
  boolean hasRoom(long amount) {
    return levels.stream().allMatch(level -> level.fits(held() + amount));
  }

  /** The wait of a cost under one tier: 0, -1 for never, or the first time at which it fits. */
  long waitUs(int tier, long cost) {
    if (cost == 0 || fitsAt(tier, cost, 0)) {
      return 0;
    }
    if (cost > levels.get(tier).tier().limit()) {
      return -1;
    }
    long tooEarly = 0;
    long enough = ProtocolBounds.EXACT_END;
    while (enough - tooEarly > 1) {
      long between = tooEarly + (enough - tooEarly) / 2;
      if (fitsAt(tier, cost, between)) {
        enough = between;
      } else {
        tooEarly = between;
      }
    }
    return enough;
  }

  private boolean fitsAt(int tier, long cost, long waitUs) {
    HeldKey then = at(lastUs + waitUs);
    return then.levels.get(tier).fits(then.held() + cost);
  }

  /** The time at which no unit is used or held. */
  private long overUs() {
    long lastUntilUs = holds.isEmpty() ? lastUs : Math.max(lastUs, holds.lastKey());
    return at(lastUntilUs).levels.stream()
        .mapToLong(level -> lastUntilUs + level.resetUs())
        .max()
        .orElse(lastUntilUs);
  }

  /** The value of a write, and its time to live in ms. */
  StoredBytes stored() {
    List<Object> numbers = new ArrayList<>(List.of(firstUs, lastUs, Math.max(latestUs, lastUs)));
    levels.forEach(level -> Arrays.stream(level.fields()).forEach(numbers::add));
    holds.forEach((untilUs, amount) -> numbers.addAll(List.of(untilUs, amount)));
    return new StoredBytes(
        PackedValues.hex(List.of(numbers)), Math.max(overUs(), latestUs) - lastUs);
  }

  /** A peek's report of the tier with the fewest units remaining, or of a given one. */
  List<Long> report(int given) {
    int tier = given < 0 ? fewest() : given;
    HeldLevel level = levels.get(tier);
    boolean places = level.tier().kind() == HeldTier.Kind.CONCURRENCY;
    long lastsUs = holds.isEmpty() ? 0 : holds.lastKey() - lastUs;
    long resetUs = places ? lastsUs : level.charged(held()).resetUs();
    return List.of(level.tier().limit(), level.remaining(held()), held(), resetUs, tier + 1L);
  }

  private int fewest() {
    int least = 0;
    for (int i = 1; i < levels.size(); i++) {
      if (levels.get(i).remaining(held()) < levels.get(least).remaining(held())) {
        least = i;
      }
    }
    return least;
  }

  /**
   * A value and how long it matters.
   *
   * @param hex its bytes
   * @param mattersUs from the write on
   */
  record StoredBytes(String hex, long mattersUs) {}
}
