package io.github.penstock.testkit.reservation;

import static io.github.penstock.testkit.reservation.ReservationException.require;

import java.util.ArrayList;
import java.util.List;

/**
 * What the server keeps under an id.
 *
 * @param untilUs when it is over
 * @param keepUs the last {@code keep_us} that was not 0
 * @param turnUs when the turn of its leaky entries comes; 0 if that was at once
 * @param holds the entries that reserve
 */
record ReservationReceipt(
    long untilUs,
    long keepUs,
    boolean closed,
    long turnUs,
    List<Hold> holds,
    List<String> keys,
    List<String> arguments) {
  private static final int PARTS = 7;
  private static final int HOLD_PARTS = 4;

  /**
   * An entry that reserves.
   *
   * @param entry its number, from 1
   * @param at the number of its first argument, from 1
   * @param firstUs the first write of its key
   * @param total what has been charged so far
   */
  record Hold(int entry, int at, long firstUs, long total) {}

  String hex() {
    List<Object> flat = new ArrayList<>();
    for (Hold hold : holds) {
      flat.addAll(List.of((long) hold.entry, (long) hold.at, hold.firstUs, hold.total));
    }
    return PackedValues.hex(
        List.of(untilUs, keepUs, closed ? 1L : 0L, turnUs, flat, keys, arguments));
  }

  /** Reads what is stored; anything else is an error that names {@code problem}. */
  static ReservationReceipt read(String hex, String problem) throws ReservationException {
    List<Object> parts = PackedValues.read(hex, problem);
    require(parts.size() == PARTS, problem);
    long[] times = PackedValues.numbers(parts.subList(0, HOLD_PARTS), problem);
    require(parts.subList(HOLD_PARTS, PARTS).stream().allMatch(List.class::isInstance), problem);
    long[] flat = PackedValues.numbers((List<?>) parts.get(HOLD_PARTS), problem);
    List<Hold> holds = new ArrayList<>();
    for (int i = 0; i + HOLD_PARTS <= flat.length; i += HOLD_PARTS) {
      holds.add(new Hold((int) flat[i], (int) flat[i + 1], flat[i + 2], flat[i + 3]));
    }
    return new ReservationReceipt(
        times[0],
        times[1],
        times[2] == 1,
        times[3],
        holds,
        texts(parts.get(PARTS - 2)),
        texts(parts.get(PARTS - 1)));
  }

  private static List<String> texts(Object list) {
    return ((List<?>) list).stream().map(String::valueOf).toList();
  }

  String key(Hold hold) {
    return keys.get(hold.entry() - 1);
  }

  List<String> holdingKeys() {
    return holds.stream().map(this::key).toList();
  }

  ReservationEntry entry(Hold hold) throws ReservationException {
    return ReservationEntry.read(arguments, hold.at() - 1, keepUs, false);
  }

  ReservationReceipt going(
      long newUntilUs, long newKeepUs, boolean nowClosed, List<Hold> newHolds) {
    return new ReservationReceipt(
        newUntilUs, newKeepUs, nowClosed, turnUs, newHolds, keys, arguments);
  }
}
