package io.github.penstock.compat;

import io.github.penstock.compat.script.LimitSetting;
import io.github.penstock.core.limit.RefillForm;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import java.util.List;

/** Stored states by what they mean, for each algorithm. */
final class StateExamples {
  private StateExamples() {}

  /** A tier of which so many units are used until a time; what a bucket holds is not said. */
  static String inUse(ScriptAlgorithm algorithm, long used, long untilUs, long lengthUs) {
    return switch (LimitSetting.kind(algorithm).refill()) {
      case AT_END, IN_BATCHES -> untilUs + ":" + used;
      case FADING -> untilUs - lengthUs + ":" + used + ":0";
      case EVENLY -> Long.toString(untilUs);
    };
  }

  /**
   * When a state of several tiers stops mattering. A batch of an interval bucket must fill it.
   *
   * @param lengthsUs the window or interval of each tier
   */
  static long endUs(ScriptAlgorithm algorithm, String state, List<Long> lengthsUs) {
    String[] fields = state.split(" ");
    long endUs = 0;
    for (int tier = 0; tier < fields.length; tier++) {
      String[] numbers = fields[tier].split("[:+]");
      boolean fades =
          LimitSetting.kind(algorithm).refill() == RefillForm.FADING && !numbers[1].equals("0");
      long tierEndUs = Long.parseLong(numbers[0]) + (fades ? lengthsUs.get(tier) : 0);
      endUs = Math.max(endUs, tierEndUs);
    }
    return endUs;
  }
}
