package io.github.penstock.benchmarks.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SubjectWorkloadTest {
  @Test
  @DisplayName("Mixed: the first subject asks twice as often as the second, and half are denied")
  void zipf() {
    int[] draws = SubjectWorkload.MIXED.draws(1);
    double first = Arrays.stream(draws).filter(subject -> subject == 0).count();
    double second = Arrays.stream(draws).filter(subject -> subject == 1).count();
    assertThat(first / second).isBetween(1.8, 2.2);
    double denied = Arrays.stream(draws).filter(SubjectWorkload.MIXED::denied).count();
    assertThat(denied / draws.length).isBetween(0.45, 0.6);
    assertThat(Arrays.stream(draws).boxed()).allMatch(subject -> subject >= 0 && subject < 10_000);
  }

  @Test
  @DisplayName("Allowed: nearly every subject asks, none of them that does not exist")
  void uniform() {
    int[] draws = SubjectWorkload.ALLOWED.draws(2);
    assertThat(Arrays.stream(draws).distinct().count()).isGreaterThan(9_900);
    assertThat(Arrays.stream(draws).boxed()).allMatch(subject -> subject >= 0 && subject < 10_000);
  }
}
