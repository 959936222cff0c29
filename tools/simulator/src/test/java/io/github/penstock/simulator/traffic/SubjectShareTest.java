package io.github.penstock.simulator.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SubjectShareTest {
  private static final int SUBJECTS = 100_000;

  @Test
  void itHoldsAboutItsPart() {
    SubjectShare tenth = SubjectShare.of("1/10");
    assertThat(subjects(tenth::has)).isBetween(9_500L, 10_500L);
    assertThat(subjects(SubjectShare.of("1/1")::has)).isEqualTo(SUBJECTS);
  }

  @Test
  void anIndependentOneHoldsItsPartOfIt() {
    SubjectShare tenth = SubjectShare.of("1/10");
    SubjectShare other = tenth.independent();
    assertThat(subjects(each -> tenth.has(each) && other.has(each))).isBetween(850L, 1_150L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "10", "1/0", "1/1000001", "2/3", "1/-1", "1/1e3", " 1/2", "1/02"})
  void anythingElseIsRefused(String text) {
    assertThatThrownBy(() -> SubjectShare.of(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + text + "' must be 1/N");
  }

  private static long subjects(Predicate<String> share) {
    return IntStream.range(0, SUBJECTS).mapToObj(i -> "10.0." + i).filter(share).count();
  }
}
