package io.github.penstock.testkit.reservation;

import static io.github.penstock.testkit.reservation.ReservationException.require;

import io.github.penstock.testkit.model.LuaNumber;
import io.github.penstock.testkit.model.ProtocolBounds;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;

/**
 * The value that the server keeps under an id.
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
  private static final long LEAST_KEEP_US = 1000;
  private static final long MOST_UNITS = 1_000_000_000_000L;
  private static final int MOST_TIERS = 16;
  private static final int WIDEST = 3;

  /**
   * An entry that reserves.
   *
   * @param entry its number, from 1
   * @param at the number of its first argument, from 1
   * @param firstUs the first write of its key
   * @param total the units charged so far
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

  /** Parses a stored value; any other value is an error that names {@code problem}. */
  static ReservationReceipt read(String hex, String problem) throws ReservationException {
    List<Object> parts = PackedValues.read(hex, problem);
    require(parts.size() == PARTS, problem);
    long[] times = PackedValues.numbers(parts.subList(0, HOLD_PARTS), problem);
    require(times[0] >= ProtocolBounds.FIRST_US && times[0] < ProtocolBounds.HELD_END, problem);
    require(times[1] >= LEAST_KEEP_US && times[1] <= ProtocolBounds.LONGEST_US, problem);
    require(times[2] == 0 || times[2] == 1, problem);
    require(times[3] >= 0 && times[3] < ProtocolBounds.EXACT_END, problem);
    require(parts.subList(HOLD_PARTS, PARTS).stream().allMatch(List.class::isInstance), problem);
    List<String> keys = texts(parts.get(PARTS - 2));
    List<String> arguments = texts(parts.get(PARTS - 1));
    long[] flat = PackedValues.numbers((List<?>) parts.get(HOLD_PARTS), problem);
    List<Hold> holds = holds(flat, keys.size() - 1, arguments, problem);
    return new ReservationReceipt(
        times[0], times[1], times[2] == 1, times[3], holds, keys, arguments);
  }

  /** The holds, which are those of the entries that reserve; the arguments hold all entries. */
  private static List<Hold> holds(long[] flat, int entries, List<String> arguments, String problem)
      throws ReservationException {
    require(entries >= 1, problem);
    List<Hold> holds = new ArrayList<>();
    int at = 2;
    for (int entry = 1; entry <= entries; entry++) {
      require(at + HOLD_PARTS <= arguments.size(), problem);
      if (arguments.get(at).equals("reserve")) {
        int first = HOLD_PARTS * holds.size();
        require(flat.length >= first + HOLD_PARTS, problem);
        require(flat[first] == entry && flat[first + 1] == at + 1, problem);
        holds.add(hold(entry, at + 1, flat[first + 2], flat[first + 3], problem));
      }
      int width = width(arguments.get(at + 1));
      OptionalLong tiers = LuaNumber.integer(arguments.get(at + 3));
      long most = width > 1 ? MOST_TIERS : 1;
      require(tiers.isPresent() && tiers.getAsLong() >= 1 && tiers.getAsLong() <= most, problem);
      at += HOLD_PARTS + width * (int) tiers.getAsLong();
    }
    require(at == arguments.size() && flat.length == HOLD_PARTS * holds.size(), problem);
    return holds;
  }

  /* A script that does not exist has the width of most. */
  private static int width(String script) {
    return script.equals(ReservationEntry.CONCURRENCY)
        ? 1
        : Arrays.stream(ScriptAlgorithm.values())
            .filter(algorithm -> algorithm.scriptName().equals(script))
            .map(algorithm -> algorithm.tierArguments().size())
            .findFirst()
            .orElse(WIDEST);
  }

  private static Hold hold(int entry, int at, long firstUs, long total, String problem)
      throws ReservationException {
    require(firstUs >= ProtocolBounds.FIRST_US && firstUs < ProtocolBounds.NOW_END, problem);
    require(total >= 0 && total <= MOST_UNITS, problem);
    return new Hold(entry, at, firstUs, total);
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

  /** The entry that a hold is of; damaged arguments are the error {@code state}. */
  ReservationEntry entry(Hold hold) throws ReservationException {
    try {
      return ReservationEntry.read(arguments, hold.at() - 1, keepUs, false);
    } catch (ReservationException damaged) {
      throw new ReservationException("state");
    }
  }

  ReservationReceipt going(
      long newUntilUs, long newKeepUs, boolean nowClosed, List<Hold> newHolds) {
    return new ReservationReceipt(
        newUntilUs, newKeepUs, nowClosed, turnUs, newHolds, keys, arguments);
  }
}
