package io.github.penstock.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PassageTest {
  @Test
  void requestsOfASecondAreSpreadEvenly() {
    assertThat(new Traffic("t", List.of(4, 0, 3)).arrivalsUs())
        .containsExactly(0, 250_000, 500_000, 750_000, 2_000_000, 2_333_333, 2_666_666);
  }

  @Test
  void trafficNeedsASecondAndNoNegativeNumbers() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Traffic("t", List.of()));
    assertThatIllegalArgumentException().isThrownBy(() -> new Traffic("t", List.of(1, -1)));
  }

  @Test
  void aSpanHoldsItsBeginningAndNotItsEnd() {
    assertThat(new Passage(new long[] {0, 2_999_999}, 0, 0).mostInAny(3_000_000)).isEqualTo(2);
    assertThat(new Passage(new long[] {0, 3_000_000}, 0, 0).mostInAny(3_000_000)).isEqualTo(1);
  }

  @Test
  void nothingAdmittedIsNothingInAnySpan() {
    Passage none = new Passage(new long[0], 7, 0);
    assertThat(none.mostInAny(3_000_000)).isZero();
    assertThat(none.seconds()).isZero();
    assertThat(none.denied()).isEqualTo(7);
  }

  @Test
  void aSecondCountsWhatGoesAheadInIt() {
    Passage passage = new Passage(new long[] {2_000_000, 999_999, 0}, 0, 1);
    assertThat(List.of(passage.in(0), passage.in(1), passage.in(2))).containsExactly(2, 0, 1);
    assertThat(passage.seconds()).isEqualTo(3);
  }

  @Test
  void theMostEqualsThatOfTryingEverySpan() {
    Random random = new Random(7);
    for (int round = 0; round < 200; round++) {
      long[] times = random.longs(random.nextInt(40), 0, 300).toArray();
      assertThat(new Passage(times, 0, 0).mostInAny(30)).isEqualTo(mostByTryingAll(times, 30));
    }
  }

  private static int mostByTryingAll(long[] times, long length) {
    int most = 0;
    for (long begin = -length; begin <= 300; begin++) {
      long from = begin;
      most =
          Math.max(
              most, (int) Arrays.stream(times).filter(t -> t >= from && t < from + length).count());
    }
    return most;
  }
}
