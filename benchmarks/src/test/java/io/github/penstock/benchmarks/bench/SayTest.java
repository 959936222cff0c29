package io.github.penstock.benchmarks.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.benchmarks.report.Finding;
import io.github.penstock.benchmarks.report.Verdict;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SayTest {
  @Test
  @DisplayName("More decisions are ahead, fewer are behind, and 5 % are neither")
  void decisions() {
    List<Finding> findings =
        Say.compare(
            "Allowed",
            Say.Measure.DECISIONS,
            "Bucket4j",
            List.of(
                new Say.Pair("Jedis", 200, 100),
                new Say.Pair("Lettuce", 100, 125),
                new Say.Pair("Redisson", 104, 100)));
    assertThat(findings)
        .containsExactly(
            new Finding(
                Verdict.AHEAD,
                "Allowed: Penstock makes 2.00 times (Jedis) as many decisions as Bucket4j."),
            new Finding(
                Verdict.BEHIND,
                "Allowed: Bucket4j makes 1.25 times (Lettuce) as many decisions as Penstock."),
            Finding.note(
                "Allowed: Penstock and Bucket4j are within 5 % of each other (Redisson)."));
  }

  @Test
  @DisplayName("More time is behind, less is ahead")
  void time() {
    assertThat(time(4, 6))
        .containsExactly(
            new Finding(Verdict.AHEAD, "Denied: Other takes 1.50 times as long as Penstock."));
    assertThat(time(6, 4))
        .containsExactly(
            new Finding(Verdict.BEHIND, "Denied: Penstock takes 1.50 times as long as Other."));
  }

  @Test
  @DisplayName("Nothing measured, nothing said")
  void nothing() {
    assertThat(Say.compare("Allowed", Say.Measure.TIME, "Other", List.of())).isEmpty();
  }

  private static List<Finding> time(double ours, double theirs) {
    return Say.compare(
        "Denied", Say.Measure.TIME, "Other", List.of(new Say.Pair("", ours, theirs)));
  }
}
