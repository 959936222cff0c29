package io.github.penstock.simulator.stats;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Waits of about the same length, from the shortest to the longest. */
public enum WaitClass {
  TO_10_MS("up to 10 ms", 10_000),
  TO_100_MS("10 to 100 ms", 100_000),
  TO_1_S("0.1 to 1 s", 1_000_000),
  TO_10_S("1 to 10 s", 10_000_000),
  TO_60_S("10 to 60 s", 60_000_000),
  TO_10_MIN("1 to 10 min", 600_000_000),
  TO_60_MIN("10 to 60 min", 3_600_000_000L),
  TO_24_H("1 to 24 h", 86_400_000_000L),
  LONGER("over a day", Long.MAX_VALUE);

  private static final WaitClass[] CLASSES = values();
  private final String title;
  private final long longestUs;

  WaitClass(String title, long longestUs) {
    this.title = title;
    this.longestUs = longestUs;
  }

  /** How a reader calls it. */
  public String title() {
    return title;
  }

  /** From the shortest that occurs to the longest. */
  public static Set<WaitClass> among(List<WaitHistogram> waits) {
    List<WaitClass> occurring =
        Arrays.stream(values())
            .filter(each -> waits.stream().anyMatch(told -> told.percentIn(each) > 0))
            .toList();
    return occurring.isEmpty()
        ? Set.of()
        : EnumSet.range(occurring.get(0), occurring.get(occurring.size() - 1));
  }

  static WaitClass of(long waitUs) {
    WaitClass[] classes = CLASSES;
    int i = 0;
    while (waitUs > classes[i].longestUs) {
      i++;
    }
    return classes[i];
  }
}
