package io.github.penstock.testkit.model;

import io.github.penstock.testkit.model.StoredValue.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Defines the replies and the state of the scripts of protocol 1: scripts, vectors and clients are
 * tested against it.
 *
 * <p>A bucket is a level that falls continuously, in rational numbers; a window is a count and an
 * end, a sliding window two counts, an interval bucket the missing tokens and the time of the next
 * ones. The stored text follows from the levels after a call, not the other way round.
 *
 * <p>Example: a token bucket of 10 that gains 10 a second, full, asked for 3 units at
 * 1700000000000000, answers {@code 1 10 7 0 300000 1} and stores {@code 1700000000300000} for
 * 60,300 ms.
 */
public final class ExactModel {
  private final ScriptAlgorithm algorithm;

  private ExactModel(ScriptAlgorithm algorithm) {
    this.algorithm = algorithm;
  }

  /** The model of an algorithm. */
  public static ExactModel of(ScriptAlgorithm algorithm) {
    return new ExactModel(algorithm);
  }

  /**
   * Returns the answer and the state of one call.
   *
   * @param keys the names of the keys
   * @param arguments the arguments as text, in the form that a server receives
   * @param stored the value under the first key
   * @param serverTimeUs the time of the call, unless the arguments hold one
   */
  public ExpectedOutcome call(
      List<String> keys, List<String> arguments, StoredValue stored, long serverTimeUs) {
    try {
      CheckedCall call = CheckedCall.read(algorithm, keys, arguments, serverTimeUs);
      if (stored.kind() == Kind.LIST) {
        return ExpectedOutcome.error(ExpectedOutcome.WRONG_TYPE, stored);
      }
      return decide(call, levels(call, stored), stored);
    } catch (BadArgumentException bad) {
      return ExpectedOutcome.error(bad.argument(), stored);
    }
  }

  private static List<TierLevel> levels(CheckedCall call, StoredValue stored)
      throws BadArgumentException {
    String text = stored.text();
    String[] fields = text == null ? new String[0] : text.split(" ", -1);
    BadArgumentException.require(text == null || fields.length == call.tiers().size(), "state");
    List<TierLevel> levels = new ArrayList<>();
    for (int i = 0; i < call.tiers().size(); i++) {
      ModelTier tier = call.tiers().get(i);
      levels.add(text == null ? tier.unused(call.nowUs()) : tier.read(fields[i], call.nowUs()));
    }
    return levels;
  }

  private static ExpectedOutcome decide(
      CheckedCall call, List<TierLevel> before, StoredValue stored) {
    if (call.cost() == 0) {
      return new ExpectedOutcome(allowed(1, before, longestBacklog(before)), null, false, stored);
    }
    if (call.cost() < 0) {
      List<TierLevel> after = each(before, level -> level.refunded(-call.cost()));
      return written(call, allowed(1, after, 0), after, stored);
    }
    long fitting = fitting(before, call);
    if (fitting == 0) {
      int denying = firstWithMost(before, level -> urgency(level.waitUs(call.cost())));
      long waitUs = before.get(denying).waitUs(call.cost());
      List<Long> reply = reply(0, before, denying, waitUs);
      boolean cut = before.stream().anyMatch(TierLevel::cut);
      return cut
          ? written(call, reply, before, stored)
          : new ExpectedOutcome(reply, null, false, stored);
    }
    List<TierLevel> after = each(before, level -> level.charged(fitting * call.cost()));
    return written(call, allowed(fitting, after, longestBacklog(before)), after, stored);
  }

  /**
   * Returns how many of the calls fit into every tier: the most whose costs together would be
   * allowed.
   */
  private static long fitting(List<TierLevel> levels, CheckedCall call) {
    long fits = 0;
    long tooMany = call.calls() + 1;
    while (tooMany - fits > 1) {
      long calls = fits + (tooMany - fits) / 2;
      if (levels.stream().allMatch(level -> level.waitUs(calls * call.cost()) == 0)) {
        fits = calls;
      } else {
        tooMany = calls;
      }
    }
    return fits;
  }

  private static long urgency(long waitUs) {
    return waitUs == TierLevel.NEVER ? Long.MAX_VALUE : waitUs;
  }

  private static long longestBacklog(List<TierLevel> levels) {
    return levels.stream().mapToLong(TierLevel::backlogUs).max().orElseThrow();
  }

  private static List<Long> allowed(long calls, List<TierLevel> levels, long waitUs) {
    return reply(calls, levels, firstWithMost(levels, level -> -level.remaining()), waitUs);
  }

  private static List<Long> reply(long allowed, List<TierLevel> levels, int deciding, long waitUs) {
    TierLevel level = levels.get(deciding);
    return List.of(
        allowed, level.limit(), level.remaining(), waitUs, level.resetUs(), deciding + 1L);
  }

  private static int firstWithMost(List<TierLevel> levels, ToLongFunction<TierLevel> measure) {
    int first = 0;
    for (int i = 1; i < levels.size(); i++) {
      if (measure.applyAsLong(levels.get(i)) > measure.applyAsLong(levels.get(first))) {
        first = i;
      }
    }
    return first;
  }

  private static List<TierLevel> each(List<TierLevel> levels, UnaryOperator<TierLevel> change) {
    return levels.stream().map(change).toList();
  }

  private static ExpectedOutcome written(
      CheckedCall call, List<Long> reply, List<TierLevel> after, StoredValue before) {
    if (after.stream().allMatch(TierLevel::isUnused)) {
      return new ExpectedOutcome(reply, null, before.kind() != Kind.NOTHING, StoredValue.NOTHING);
    }
    String text = after.stream().map(TierLevel::field).collect(Collectors.joining(" "));
    long resetUs = after.stream().mapToLong(TierLevel::resetUs).max().orElseThrow();
    long ttlMs = (resetUs + 999) / 1000 + (call.callersTime() ? ProtocolBounds.PADDING_MS : 0);
    return new ExpectedOutcome(reply, null, true, StoredValue.string(text, ttlMs));
  }
}
