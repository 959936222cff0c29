package io.github.penstock.simulator.log;

import java.util.HashSet;
import java.util.Set;

/**
 * About how many subjects there are, in constant memory: of their hashes those that end in as many
 * zeros as it takes to have at most {@value #MOST}. The standard error is a hundredth. Not safe for
 * use by several threads.
 *
 * <p>Source: P. Flajolet, "On adaptive sampling", Computing 43, 1990.
 */
final class SubjectCount {
  private static final int MOST = 1 << 14;
  private final Set<Long> kept = new HashSet<>();
  private long zeros;

  void add(long hash) {
    if ((hash & zeros) == 0 && kept.add(hash) && kept.size() > MOST) {
      zeros = 2 * zeros + 1;
      kept.removeIf(each -> (each & zeros) != 0);
    }
  }

  /** Returns about how many different hashes were added. */
  long about() {
    return kept.size() * (zeros + 1);
  }
}
