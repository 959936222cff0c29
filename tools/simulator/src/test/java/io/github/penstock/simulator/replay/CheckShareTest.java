package io.github.penstock.simulator.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.simulator.traffic.SubjectShare;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CheckShareTest {
  @Test
  void fewDecisionsAreAllChecked() {
    assertThat(CheckShare.usual(5, 20_000, 51)).isEqualTo(CheckShare.ALL);
    assertThat(CheckShare.usual(5, 20_001, 51)).isNotEqualTo(CheckShare.ALL);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 5000000, 1",
    "5, 5000000, 10",
    "5, 900000, 1001",
    "15, 240000, 1001",
    "1, 1000000, 1000000",
    "5, 20000000, 10000000"
  })
  void aboutAHundredThousandAreCheckedHoweverManyThereAre(int limits, int requests, int subjects) {
    CheckShare share = CheckShare.usual(limits, requests, subjects);
    long each = requests / subjects;
    long checked =
        limits
            * IntStream.range(0, subjects)
                .mapToLong(subject -> Math.min(each, share.of("subject-" + subject)))
                .sum();
    assertThat(checked).isBetween(50_000L, 150_000L);
  }

  @Test
  void oneLoudSubjectDoesNotUseThemUp() {
    CheckShare share = CheckShare.usual(5, 900_000, 1_001);
    assertThat(share.decisions()).isLessThan(1_000);
    assertThat(CheckShare.of(SubjectShare.of("all")).of("any")).isEqualTo(Long.MAX_VALUE);
  }
}
