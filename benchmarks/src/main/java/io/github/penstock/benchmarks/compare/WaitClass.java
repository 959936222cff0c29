package io.github.penstock.benchmarks.compare;

import java.util.ArrayList;
import java.util.List;

/**
 * Waits of about the same length.
 *
 * @param title what a reader calls them
 * @param aboveUs the shortest are longer than this
 * @param toUs the longest
 */
record WaitClass(String title, long aboveUs, long toUs) {
  private static final long SECOND_US = 1_000_000;
  private static final List<WaitClass> ALL =
      List.of(
          new WaitClass("up to 10 ms", 0, 10_000),
          new WaitClass("10 to 100 ms", 10_000, 100_000),
          new WaitClass("0.1 to 1 s", 100_000, SECOND_US),
          new WaitClass("1 to 10 s", SECOND_US, 10 * SECOND_US),
          new WaitClass("10 to 60 s", 10 * SECOND_US, 60 * SECOND_US),
          new WaitClass("1 to 10 min", 60 * SECOND_US, 600 * SECOND_US),
          new WaitClass("10 to 60 min", 600 * SECOND_US, 3_600 * SECOND_US),
          new WaitClass("1 to 24 h", 3_600 * SECOND_US, 86_400 * SECOND_US),
          new WaitClass("over a day", 86_400 * SECOND_US, Long.MAX_VALUE));

  /** The classes from the shortest to the longest that occurs. */
  static List<WaitClass> among(Played played) {
    List<WaitClass> occurring = new ArrayList<>(ALL);
    occurring.removeIf(
        each -> played.results().stream().allMatch(r -> each.percentOf(r.tally()) == 0));
    return occurring.isEmpty()
        ? occurring
        : ALL.subList(
            ALL.indexOf(occurring.get(0)), ALL.indexOf(occurring.get(occurring.size() - 1)) + 1);
  }

  /** How many classes there are. */
  static int count() {
    return ALL.size();
  }

  /** The number of the class of a wait, from 0. */
  static int of(long waitUs) {
    int number = 0;
    while (waitUs > ALL.get(number).toUs) {
      number++;
    }
    return number;
  }

  /** How many percent of the waits of denied callers lie in it. */
  double percentOf(Tally tally) {
    long count = tally.waits().count();
    return count == 0 ? 0 : 100.0 * tally.waitsIn(ALL.indexOf(this)) / count;
  }
}
