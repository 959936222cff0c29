package io.github.penstock.simulator.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class SlidingMaximumTest {
  private static final long LENGTH = 30;

  @Property
  void theMostIsThatOfTryingEverySpan(
      @ForAll @Size(max = 60) List<@LongRange(min = 0, max = 300) Long> offsets,
      @ForAll @IntRange(min = 1, max = 5) int units) {
    long[] times = sorted(offsets);
    assertThat(most(times, units, 0)).isEqualTo(byTryingAll(times, units));
  }

  @Property
  void groupedItIsNeverTooLowAndTooHighByAGrainAtMost(
      @ForAll @Size(max = 60) List<@LongRange(min = 0, max = 300) Long> offsets,
      @ForAll @IntRange(min = 1, max = 10) int grain) {
    long[] times = sorted(offsets);
    long grouped = most(times, 1, grain);
    assertThat(grouped).isGreaterThanOrEqualTo(byTryingAll(times, 1));
    assertThat(grouped).isLessThanOrEqualTo(byTryingAll(times, 1, LENGTH + 2L * grain));
  }

  @Test
  void aSpanHoldsItsBeginningAndNotItsEnd() {
    assertThat(most(new long[] {0, LENGTH - 1}, 1, 0)).isEqualTo(2);
    assertThat(most(new long[] {0, LENGTH}, 1, 0)).isEqualTo(1);
  }

  @Test
  void groupingInTheMiddleForgetsNothing() {
    SlidingMaximum sliding = new SlidingMaximum();
    for (int i = 0; i < 20; i++) {
      sliding.add(1_000 + i, 1, 1_000, 0);
    }
    sliding.group(10);
    assertThat(sliding.size()).isEqualTo(2);
    assertThat(sliding.add(1_020, 1, 1_000, 10)).isEqualTo(21);
  }

  private static long[] sorted(List<Long> offsets) {
    return offsets.stream().mapToLong(Long::longValue).sorted().toArray();
  }

  private static long most(long[] times, int units, long grain) {
    SlidingMaximum sliding = new SlidingMaximum();
    return Arrays.stream(times)
        .map(time -> sliding.add(time, units, LENGTH, grain))
        .max()
        .orElse(0);
  }

  private static long byTryingAll(long[] times, int units) {
    return byTryingAll(times, units, LENGTH);
  }

  private static long byTryingAll(long[] times, int units, long length) {
    long most = 0;
    for (long begin = -length; begin <= 300; begin++) {
      long from = begin;
      most =
          Math.max(most, Arrays.stream(times).filter(t -> t >= from && t < from + length).count());
    }
    return most * units;
  }
}
