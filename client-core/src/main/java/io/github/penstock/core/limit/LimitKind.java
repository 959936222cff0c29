package io.github.penstock.core.limit;

import io.github.penstock.scripts.LuaScript;
import io.github.penstock.scripts.LuaScript.TierNumber;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A kind of limit. It determines the script, and whether limits of this kind support leases. The
 * header of the script declares all other properties.
 */
public enum LimitKind {
  /** A {@link FixedWindow}. */
  FIXED_WINDOW(LuaScript.FIXED_WINDOW, true),
  /** A {@link SlidingWindow}. */
  SLIDING_WINDOW(LuaScript.SLIDING_WINDOW, true),
  /** A {@link TokenBucket}. */
  TOKEN_BUCKET(LuaScript.TOKEN_BUCKET, true),
  /** A {@link LeakyBucket}. */
  LEAKY_BUCKET(LuaScript.LEAKY_BUCKET, false),
  /** An {@link IntervalBucket}. */
  INTERVAL_BUCKET(LuaScript.INTERVAL_BUCKET, false);

  private static final String UNITS = "units";
  private static final String MICROSECONDS = "microseconds";

  private final LuaScript script;
  private final RefillForm refill;
  private final boolean leasable;

  LimitKind(LuaScript script, boolean leasable) {
    this.script = script;
    refill = RefillForm.valueOf(script.use().refill().toUpperCase(Locale.ROOT));
    this.leasable = leasable;
  }

  /**
   * Returns the kind whose script has this name, such as {@code token-bucket}, or empty if no kind
   * has a script with this name.
   */
  public static Optional<LimitKind> named(String scriptName) {
    return Arrays.stream(values())
        .filter(kind -> kind.script.scriptName().equals(scriptName))
        .findFirst();
  }

  /** Returns the script of this kind of limit. */
  public LuaScript script() {
    return script;
  }

  /** Returns how the units of a tier refill. */
  public RefillForm refill() {
    return refill;
  }

  /** Returns whether admitted calls wait for their turn. */
  public boolean queues() {
    return script.use().queues();
  }

  /** Returns whether units can be reserved and settled later. */
  public boolean holds() {
    return script.use().holds();
  }

  /** Returns whether a single-tier limit of this kind supports leases (rule L7). */
  public boolean leasable() {
    return leasable;
  }

  /**
   * Returns whether the capacity of a tier can differ from the number of units that the tier gains
   * in each period.
   */
  public boolean holdsBurst() {
    return last(UNITS) > 0;
  }

  /**
   * Returns the numbers of a tier in the order of the script's arguments, with times in
   * microseconds.
   */
  public List<Long> numbers(LimitTier tier) {
    return IntStream.range(0, script.tier().size()).mapToObj(at -> number(tier, at)).toList();
  }

  /**
   * Returns the tier with these numbers.
   *
   * @throws IllegalArgumentException if a number is out of bounds; the message names the number
   */
  public LimitTier tier(List<Long> numbers) {
    Duration period = Duration.of(numbers.get(last(MICROSECONDS)), ChronoUnit.MICROS);
    return LimitTier.of(numbers.get(0), numbers.get(last(UNITS)), period);
  }

  private Long number(LimitTier tier, int at) {
    if (at == last(MICROSECONDS)) {
      return tier.periodMicros();
    }
    return at == 0 ? tier.capacity() : tier.units();
  }

  private int last(String unit) {
    return script.tier().stream().map(TierNumber::unit).toList().lastIndexOf(unit);
  }
}
