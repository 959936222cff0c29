package io.github.penstock.simulator.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.simulator.traffic.SubjectShare;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SubjectCountTest {
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 51, 16_384, 100_000, 1_000_000})
  void itIsExactForFewAndWithinSomePercentOfMany(int subjects) {
    SubjectCount count = new SubjectCount();
    for (int i = 0; i < 2 * subjects; i++) {
      count.add(SubjectShare.hash("10.0." + i / 2));
    }
    long error = subjects <= 16_384 ? 0 : subjects / 20;
    assertThat(count.about()).isBetween(subjects - error, subjects + error);
  }
}
