package io.github.penstock.simulator.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.github.penstock.simulator.stats.FairnessStats.Share;
import io.github.penstock.simulator.traffic.SubjectShare;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FairnessStatsTest {
  private static final int SUBJECTS = 5_000;
  private static final int SAMPLES = 60;
  private static final long TENTH = 10;

  @Test
  void countsAreThoseOfAMap() {
    Random random = new Random(5);
    FairnessStats shares = new FairnessStats(hash -> 1);
    Map<String, int[]> expected = new HashMap<>();
    for (int i = 0; i < 200_000; i++) {
      String subject = "s" + (int) Math.abs(random.nextGaussian() * 20_000);
      boolean denied = random.nextInt(10) == 0;
      add(shares, subject, denied);
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
  }

  @Test
  void subjectsThatComeInPartsAreCountedAsThoseThatComeTogether() {
    FairnessStats together = new FairnessStats(hash -> 1);
    FairnessStats parts = new FairnessStats(hash -> 1);
    for (int subject = 0; subject < 3_000; subject++) {
      for (int request = 0; request <= subject % 7; request++) {
        add(together, "s" + subject, request % 3 == 2);
        add(parts, "s" + subject, request % 3 == 2);
      }
      if (subject % 1_000 == 999) {
        parts.close();
      }
    }
    assertThat(parts.subjects()).isEqualTo(3_000).isEqualTo(together.subjects());
    assertThat(parts.everDenied()).isPositive().isEqualTo(together.everDenied());
    assertThat(parts.mostDenied(10)).isEqualTo(together.mostDenied(10));
  }

  @Test
  void theErrorOfASampleIsThatOfManySamples() {
    double exact = 0;
    for (int subject = 0; subject < SUBJECTS; subject++) {
      exact += subject % 5 == 0 ? subject % 10 : 0;
    }
    double squares = 0;
    double told = 0;
    for (int salt = 0; salt < SAMPLES; salt++) {
      FairnessStats shares = new FairnessStats(hash -> TENTH);
      double denied = 0;
      double asked = 0;
      for (int subject = 0; subject < SUBJECTS; subject++) {
        if (Math.floorMod(SubjectShare.hash(salt + " " + subject), TENTH) == 0) {
          int requests = 1 + subject % 10;
          for (int i = 0; i < requests; i++) {
            add(shares, "s" + subject, subject % 5 == 0 && i > 0);
          }
          asked += requests;
          denied += subject % 5 == 0 ? requests - 1 : 0;
        }
      }
      double estimated = denied / asked * 5.5 * SUBJECTS;
      squares += (estimated - exact) * (estimated - exact) / SAMPLES;
      told += shares.deniedError(TENTH) / SAMPLES;
    }
    assertThat(told).isCloseTo(Math.sqrt(squares), withinPercentage(25.0));
  }

  private static void add(FairnessStats to, String subject, boolean denied) {
    to.add(SubjectShare.hash(subject), subject, denied);
  }
}
