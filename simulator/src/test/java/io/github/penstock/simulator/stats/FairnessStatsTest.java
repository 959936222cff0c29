package io.github.penstock.simulator.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.penstock.simulator.stats.FairnessStats.Share;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FairnessStatsTest {
  @Test
  void countsAreThoseOfAMap() {
    Random random = new Random(5);
    FairnessStats shares = new FairnessStats();
    Map<String, int[]> expected = new HashMap<>();
    for (int i = 0; i < 200_000; i++) {
      String subject = "s" + (int) Math.abs(random.nextGaussian() * 20_000);
      boolean denied = random.nextInt(10) == 0;
      shares.add(subject, denied);
      int[] counts = expected.computeIfAbsent(subject, key -> new int[2]);
      counts[0]++;
      counts[1] += denied ? 1 : 0;
    }
    long everDenied = expected.values().stream().filter(counts -> counts[1] > 0).count();
    assertThat(shares.subjects()).isEqualTo(expected.size());
    assertThat(shares.everDenied()).isEqualTo(everDenied);
    Share worst = shares.mostDenied(1).get(0);
    int most = expected.values().stream().mapToInt(counts -> counts[1]).max().orElseThrow();
    assertThat(worst.denied()).isEqualTo(most);
    assertThat(worst.asked()).isEqualTo(expected.get(worst.subject())[0]);
    assertThat(shares.jainsIndex()).isCloseTo(jain(expected), within(1e-9));
  }

  @Test
  void oneOfTwoWhoGetsNothingHalvesTheIndex() {
    FairnessStats shares = new FairnessStats();
    shares.add("a", false);
    shares.add("b", true);
    assertThat(shares.jainsIndex()).isEqualTo(0.5);
  }

  @Test
  void subjectsThatComeInPartsAreCountedAsThoseThatComeTogether() {
    FairnessStats together = new FairnessStats();
    FairnessStats parts = new FairnessStats();
    for (int subject = 0; subject < 3_000; subject++) {
      for (int request = 0; request <= subject % 7; request++) {
        together.add("s" + subject, request % 3 == 2);
        parts.add("s" + subject, request % 3 == 2);
      }
      if (subject % 1_000 == 999) {
        parts.close();
      }
    }
    assertThat(parts.subjects()).isEqualTo(3_000).isEqualTo(together.subjects());
    assertThat(parts.everDenied()).isPositive().isEqualTo(together.everDenied());
    assertThat(parts.mostDenied(10)).isEqualTo(together.mostDenied(10));
    assertThat(parts.jainsIndex()).isCloseTo(together.jainsIndex(), within(1e-12));
  }

  private static double jain(Map<String, int[]> counts) {
    double sum = 0;
    double squares = 0;
    for (int[] each : counts.values()) {
      double part = (double) (each[0] - each[1]) / each[0];
      sum += part;
      squares += part * part;
    }
    return sum * sum / (counts.size() * squares);
  }
}
