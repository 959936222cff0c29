package io.github.penstock.core.internal.near;

import io.github.penstock.core.AcquiredUnits;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.limit.Limit;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * This process's share of one limit, which decides in an outage and is stored only then. Safe for
 * use by several threads.
 */
public final class LocalShare {
  private final LocalDecider decider;
  private final @Nullable DenialMemory denials;
  private final Limit limit;
  private final int processes;
  private final Limit share;

  LocalShare(
      LocalDecider decider, @Nullable DenialMemory denials, OnUnavailable choice, Limit limit) {
    this.decider = decider;
    this.denials = denials;
    this.limit = limit;
    processes = choice.processes();
    share = choice.share(limit);
  }

  /**
   * Charges the share with as many of {@code calls} calls as fit; null if it can keep no more keys.
   */
  public @Nullable AcquiredUnits tryAcquire(byte[] key, long cost, long calls) {
    return decider.tryAcquire(text(key), share, cost, calls, lastDenial(key));
  }

  /** Gives units back that the share was charged with. */
  public void refund(byte[] key, long units) {
    decider.refund(text(key), share, units);
  }

  private @Nullable LastDenial lastDenial(byte[] key) {
    LastDenial last = denials == null ? null : denials.last(key, limit);
    return last == null
        ? null
        : new LastDenial(
            last.tier(), last.remaining() / processes, last.resetMicros(), last.ageMicros());
  }

  private static String text(byte[] key) {
    return new String(key, StandardCharsets.UTF_8);
  }
}
