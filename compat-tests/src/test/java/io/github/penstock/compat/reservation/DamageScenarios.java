package io.github.penstock.compat.reservation;

import static io.github.penstock.compat.reservation.ScenarioBuilder.KEEP_US;
import static io.github.penstock.compat.reservation.ScenarioBuilder.START_US;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Values that {@code reserve} never stores: each is refused, and never overwritten. */
final class DamageScenarios {
  private static final String WRONG = "R13 what reserve does not store is refused: ";
  private static final long N = START_US;
  private static final long END_US = N + KEEP_US;
  private static final long HELD_END = (1L << 52) + (1L << 45);
  private static final long MOST = 1_000_000_000_000L;
  private static final double[] NO_INTEGERS = {0.5, 1e300, Double.NaN, Double.POSITIVE_INFINITY};
  private static final List<String> ENTRY = List.of("reserve", "token-bucket", "40");
  private static final List<String> TIER = List.of("1", "100", "10", "1000000");

  private DamageScenarios() {}

  static Stream<ScenarioBuilder> all() {
    return Stream.of(
        times("the times of a key"),
        tiers("what is used of a bucket", "token-bucket 40 1 100 10 1000000", List.of(), buckets()),
        tiers("a fixed window", "fixed-window 4 1 10 10000000", List.of(), fixedWindows()),
        tiers("a sliding window", "sliding-window 4 1 10 10000000", List.of(), slidingWindows()),
        tiers("the sums that are held", "concurrency 1 1 3", List.of(), sums()),
        receipts(),
        latest());
  }

  private static ScenarioBuilder that(String name) {
    return new ScenarioBuilder(WRONG + name);
  }

  private static ScenarioBuilder times(String name) {
    List<List<Object>> wrong = new ArrayList<>();
    for (int at = 0; at < 3; at++) {
      for (Object value : anyWrong(0L, N - N / 2, 1L << 52, "x", List.of())) {
        List<Object> times = new ArrayList<>(List.of(N, N, N));
        times.set(at, value);
        wrong.add(times);
      }
    }
    wrong.add(List.of(N + 1, N, N));
    wrong.add(List.of(N, N + 1, N));
    wrong.add(List.of(N, N));
    wrong.add(List.of());
    return played(that(name), "concurrency 1 1 3", wrong);
  }

  private static List<Object> anyWrong(Object... values) {
    List<Object> wrong = new ArrayList<>(Arrays.asList(values));
    Arrays.stream(NO_INTEGERS).forEach(wrong::add);
    return wrong;
  }

  private static List<List<Object>> buckets() {
    List<List<Object>> wrong = new ArrayList<>();
    wrong.add(List.of());
    anyWrong(9_007_199_254_740_992L, "7", List.of(7L)).forEach(value -> wrong.add(List.of(value)));
    wrong.add(List.of(0L, END_US));
    return wrong;
  }

  private static List<List<Object>> fixedWindows() {
    List<List<Object>> wrong = new ArrayList<>(windows());
    wrong.add(List.of(1L, N + 10_000_000, 1L));
    wrong.add(List.of(0L, N + 10_000_000, 1L));
    return wrong;
  }

  private static List<List<Object>> slidingWindows() {
    List<List<Object>> wrong = new ArrayList<>(windows());
    wrong.add(List.of(0L, 0L, 10L));
    wrong.add(List.of(0L, N + 10_000_000, MOST + 1));
    anyWrong("7").forEach(value -> wrong.add(List.of(1L, N + 10_000_000, value)));
    return wrong;
  }

  private static List<List<Object>> windows() {
    List<List<Object>> wrong = new ArrayList<>();
    wrong.add(List.of(1L, 0L, 0L));
    wrong.add(List.of(0L, N + 10_000_000, 0L));
    wrong.add(List.of(1L, N, 0L));
    wrong.add(List.of(1L, N + 10_000_001, 0L));
    wrong.add(List.of(MOST + 1, N + 10_000_000, 0L));
    wrong.add(List.of(1L, N + 10_000_000));
    anyWrong("7").forEach(value -> wrong.add(List.of(value, N + 10_000_000, 0L)));
    anyWrong("7").forEach(value -> wrong.add(List.of(1L, value, 0L)));
    return wrong;
  }

  private static List<List<Object>> sums() {
    List<List<Object>> wrong = new ArrayList<>();
    wrong.add(List.of(N, 1L));
    wrong.add(List.of(END_US, 0L));
    wrong.add(List.of(END_US));
    wrong.add(List.of(Optional.empty(), 1L));
    wrong.add(List.of(END_US, 1L, END_US, 1L));
    wrong.add(List.of(HELD_END, 1L));
    wrong.add(List.of(END_US, HELD_END - 1, END_US + 1, 1L));
    anyWrong("7", List.of()).forEach(value -> wrong.add(List.of(END_US, value)));
    anyWrong("7", List.of()).forEach(value -> wrong.add(List.of(value, 1L)));
    return wrong;
  }

  private static ScenarioBuilder tiers(
      String name, String entry, List<Object> before, List<List<Object>> wrong) {
    List<List<Object>> states = new ArrayList<>();
    for (List<Object> fields : wrong) {
      List<Object> state = new ArrayList<>(List.of(N, N, N));
      state.addAll(before);
      state.addAll(fields);
      states.add(state);
    }
    return played(that(name), entry, states);
  }

  /* The last state is right, followed by a surplus value. */
  private static ScenarioBuilder played(
      ScenarioBuilder played, String entry, List<List<Object>> states) {
    String call = KEEP_US + " NOW reserve " + entry;
    for (List<Object> state : states) {
      played.packed("k", state).raw("reserve", "k a", call);
    }
    return played.packed("k", states.get(0), 0L).raw("reserve", "k a", call);
  }

  private static ScenarioBuilder receipts() {
    ScenarioBuilder played = that("a receipt");
    String call = KEEP_US + " NOW " + String.join(" ", ENTRY) + " " + String.join(" ", TIER);
    for (Object[] receipt : wrongReceipts(played.names("k a"))) {
      played
          .packed("a", receipt)
          .raw("reserve", "k a", call)
          .packed("a", receipt)
          .raw("settle", "k a", "0 NOW 1");
    }
    return played;
  }

  /* A century after the latest time at which something runs out: the longest wait of all. */
  private static ScenarioBuilder latest() {
    List<Object> state = List.of(N, N, N, 0L, HELD_END - 1, HELD_END - 1);
    return new ScenarioBuilder("R11 a wait of a century after the latest end is exact")
        .packed("k", state)
        .raw("reserve", "k a", KEEP_US + " NOW reserve token-bucket 1 1 1 1 31622400000000");
  }

  private static List<Object[]> wrongReceipts(List<String> keys) {
    List<String> arguments = new ArrayList<>(List.of("" + KEEP_US, "" + N));
    arguments.addAll(ENTRY);
    arguments.addAll(TIER);
    Object[] right = {END_US, KEEP_US, 0L, 0L, List.of(1L, 3L, N, 0L), keys, arguments};
    List<Object[]> wrong = new ArrayList<>();
    for (Object value : anyWrong(0L, HELD_END, 1L << 53, "7", List.of())) {
      wrong.add(with(right, 0, value));
      wrong.add(with(right, 3, value.equals(0L) ? 0.5 : value));
    }
    for (Object value : anyWrong(0L, 999L, 31_622_400_000_001L, "7")) {
      wrong.add(with(right, 1, value));
    }
    wrong.add(with(right, 2, 2L));
    wrong.add(with(right, 2, 0.5));
    for (List<Object> holds : wrongHolds()) {
      wrong.add(with(right, 4, holds));
    }
    wrong.add(with(right, 4, 7L));
    wrong.add(with(right, 5, List.of()));
    wrong.add(with(right, 5, 7L));
    wrong.add(with(right, 6, 7L));
    wrong.add(with(right, 6, arguments.subList(0, 8)));
    wrong.add(Arrays.copyOf(right, 6));
    wrong.add(with(Arrays.copyOf(right, 8), 7, 0L));
    return wrong;
  }

  private static List<List<Object>> wrongHolds() {
    List<List<Object>> wrong = new ArrayList<>();
    wrong.add(List.of());
    wrong.add(List.of(1L, 3L, N));
    wrong.add(List.of(1L, 3L, N, 0L, 1L));
    wrong.add(List.of(1L, 3L, N, 0L, 1L, 3L, N, 0L));
    wrong.add(List.of(2L, 3L, N, 0L));
    wrong.add(List.of(1L, 99L, 0L, 0L));
    for (Object value : anyWrong(0L, N + 0.5, 1L << 52, "7")) {
      wrong.add(List.of(1L, 3L, value, 0L));
    }
    for (Object value : anyWrong(MOST + 1, "7")) {
      wrong.add(List.of(1L, 3L, N, value));
    }
    return wrong;
  }

  private static Object[] with(Object[] values, int at, Object value) {
    Object[] changed = values.clone();
    changed[at] = value;
    return changed;
  }
}
