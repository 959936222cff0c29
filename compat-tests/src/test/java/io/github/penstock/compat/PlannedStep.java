package io.github.penstock.compat;

import static io.github.penstock.core.limit.Limit.MAX_UNITS;
import static io.github.penstock.testkit.model.ProtocolBounds.FIRST_US;
import static io.github.penstock.testkit.model.ProtocolBounds.NOW_END;

import io.github.penstock.compat.script.LimitSetting;
import io.github.penstock.testkit.model.ExpectedOutcome;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A step of a random sequence, made concrete only when the step before it has its reply: "exactly
 * what remains", "when the wait is over".
 *
 * @param cost how to choose the cost
 * @param time how to choose the time
 * @param amount a number that both may use, 0 to 10^6
 * @param foreign a value to put under the key before, or null
 * @param limitPercent what the limits are multiplied by, in percent, for windows
 */
record PlannedStep(Cost cost, Time time, long amount, @Nullable String foreign, long limitPercent) {
  private static final Set<Cost> SEVERAL = EnumSet.range(Cost.MANY_OF_ONE, Cost.MANY_OVER_LIMIT);

  enum Cost {
    PEEK,
    ONE,
    SOME,
    REMAINING,
    REMAINING_AND_ONE,
    LIMIT,
    OVER_LIMIT,
    GREATEST,
    GIVE_ONE_BACK,
    GIVE_SOME_BACK,
    GIVE_LIMIT_BACK,
    GIVE_GREATEST_BACK,
    MANY_OF_ONE,
    MANY_OF_SOME,
    MANY_OF_REMAINING,
    MANY_OF_LIMIT,
    MANY_OVER_LIMIT
  }

  enum Time {
    SAME,
    ONE_LATER,
    WAIT,
    WAIT_LESS_ONE,
    RESET,
    RESET_LESS_ONE,
    A_LITTLE_LATER,
    PART_OF_RESET,
    A_LITTLE_BACK,
    FAR_BACK,
    FAR_LATER
  }

  /** The cost, after a reply; before any reply the limit is that of the first tier. */
  String costAfter(@Nullable ExpectedOutcome last, long firstLimit) {
    boolean replied = last != null && last.error() == null;
    long limit = replied ? last.reply().get(1) : firstLimit;
    long remaining = replied ? last.reply().get(2) : firstLimit;
    long some = 1 + amount % Math.max(1, limit);
    long plain =
        switch (cost) {
          case PEEK -> 0;
          case ONE, MANY_OF_ONE -> 1;
          case SOME, MANY_OF_SOME -> some;
          case REMAINING -> remaining;
          case REMAINING_AND_ONE -> Math.min(MAX_UNITS, remaining + 1);
          case LIMIT, MANY_OF_LIMIT -> limit;
          case OVER_LIMIT, MANY_OVER_LIMIT -> Math.min(MAX_UNITS, limit + 1);
          case GREATEST -> MAX_UNITS;
          case GIVE_ONE_BACK -> -1;
          case GIVE_SOME_BACK -> -some;
          case GIVE_LIMIT_BACK -> -limit;
          case GIVE_GREATEST_BACK -> -MAX_UNITS;
          case MANY_OF_REMAINING -> Math.max(1, remaining / (1 + amount % 4));
        };
    return SEVERAL.contains(cost) ? several(plain) : Long.toString(plain);
  }

  /** As many calls of this cost as the amount says, and as the product allows. */
  private String several(long each) {
    return each + "*" + Math.min(1 + amount % 70, MAX_UNITS / each);
  }

  /** The time, after a reply at a time; always one that a script accepts. */
  long timeAfter(@Nullable ExpectedOutcome last, long nowUs) {
    boolean replied = last != null && last.error() == null;
    long waitUs = replied ? last.waitUs() : 0;
    long resetUs = replied ? last.resetUs() : 0;
    long step =
        switch (time) {
          case SAME -> 0;
          case ONE_LATER -> 1;
          case WAIT -> Math.max(0, waitUs);
          case WAIT_LESS_ONE -> Math.max(0, waitUs - 1);
          case RESET -> resetUs;
          case RESET_LESS_ONE -> Math.max(0, resetUs - 1);
          case A_LITTLE_LATER -> amount;
          case PART_OF_RESET -> resetUs / (1 + amount % 7);
          case A_LITTLE_BACK -> -amount;
          case FAR_BACK -> -amount * 100_000_000L;
          case FAR_LATER -> amount * 100_000_000L;
        };
    return Math.min(NOW_END - 1, Math.max(FIRST_US, nowUs + step));
  }

  /** The numbers of a tier, with a changed limit for windows. */
  List<Long> numbers(ScriptAlgorithm algorithm, List<Long> tier) {
    if (LimitSetting.kind(algorithm).holdsBurst()) {
      return tier;
    }
    List<Long> changed = new ArrayList<>(tier);
    changed.set(0, Math.min(MAX_UNITS, Math.max(1, tier.get(0) * limitPercent / 100)));
    return changed;
  }
}
