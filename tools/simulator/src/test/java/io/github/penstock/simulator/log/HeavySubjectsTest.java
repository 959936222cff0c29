package io.github.penstock.simulator.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.agrona.collections.LongHashSet;
import org.junit.jupiter.api.Test;

class HeavySubjectsTest {
  private static final int REQUESTS = 1_000_000;

  @Test
  void theyMakeMoreThanAThousandth() {
    HeavySubjects subjects = new HeavySubjects();
    for (int i = 0; i < REQUESTS; i++) {
      subjects.add(i % 10 < 2 ? i % 10 : i % 10 == 2 ? 10 + i / 10 % 100 : 10_000 + i / 10 % 1_000);
    }
    LongHashSet heavy = subjects.all();
    assertThat(heavy.contains(0)).isTrue();
    assertThat(heavy.contains(1)).isTrue();
    assertThat(heavy).hasSize(2);
  }

  @Test
  void noneIsMissedAmongAHundredThousand() {
    HeavySubjects subjects = new HeavySubjects();
    for (int i = 0; i < REQUESTS; i++) {
      subjects.add(i % 400 == 0 ? -1 - i / 400 % 2 : i % 400_000);
    }
    assertThat(subjects.all()).contains(-1L, -2L).hasSizeLessThan(10);
  }
}
