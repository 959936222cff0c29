package io.github.penstock.testkit.reservation;

import static io.github.penstock.testkit.reservation.ReservationException.require;

import io.github.penstock.testkit.model.StoredValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One call of {@code settle}. */
final class SettleStep {
  private static final int FIRST = 2;
  private static final int REPORTED = 5;
  private static final long MOST = 1_000_000_000_000L;

  private final CallFrame frame;
  private final List<Long> totals = new ArrayList<>();

  SettleStep(ReservationModel server, List<String> keys, List<String> arguments)
      throws ReservationException {
    this.frame = CallFrame.read(server, keys, arguments, true);
    require(arguments.size() == frame.entryKeys().size() + FIRST, "total");
    for (String text : arguments.subList(FIRST, arguments.size())) {
      totals.add(ReservationEntry.integer(text, "total", 0, MOST));
    }
  }

  ReservationOutcome outcome() throws ReservationException {
    ReservationReceipt receipt = frame.receipt("state");
    if (receipt == null || frame.nowUs() >= receipt.untilUs()) {
      return unknown(receipt);
    }
    require(receipt.holdingKeys().equals(frame.entryKeys()), "key");
    List<ReservationEntry> entries = new ArrayList<>();
    List<HeldKey> keys = new ArrayList<>();
    for (ReservationReceipt.Hold hold : receipt.holds()) {
      ReservationEntry entry = receipt.entry(hold);
      entries.add(entry);
      keys.add(frame.held(receipt.key(hold), tiers(entry)));
    }
    return frame.isOver(receipt) || isLost(receipt, entries, keys)
        ? unknown(receipt)
        : settled(receipt, entries, keys);
  }

  private static List<HeldTier> tiers(ReservationEntry entry) throws ReservationException {
    try {
      return entry.tiers();
    } catch (ReservationException damaged) {
      throw new ReservationException("state");
    }
  }

  /** There is none, and a receipt that is still there goes. */
  private ReservationOutcome unknown(@Nullable ReservationReceipt receipt) {
    List<Long> reply =
        new ArrayList<>(Collections.nCopies(1 + REPORTED * frame.entryKeys().size(), 0L));
    String name = String.valueOf(frame.receiptKey());
    return new ReservationOutcome(
        reply, null, receipt == null ? Map.of() : Map.of(name, StoredValue.NOTHING));
  }

  /** True if a key was lost and its units no longer fit. */
  private boolean isLost(
      ReservationReceipt receipt, List<ReservationEntry> entries, List<HeldKey> keys)
      throws ReservationException {
    boolean lost = false;
    for (int i = 0; i < keys.size() && !receipt.closed(); i++) {
      ReservationReceipt.Hold hold = receipt.holds().get(i);
      long rest = entries.get(i).cost() - hold.total();
      boolean there = holds(hold, keys.get(i), frame.entryKeys().get(i));
      lost |= rest > 0 && !there && !keys.get(i).hasRoom(rest);
    }
    return lost;
  }

  /** True if the key is the one that was reserved in. */
  private boolean holds(ReservationReceipt.Hold hold, HeldKey key, String name)
      throws ReservationException {
    return frame.hex(name) != null && key.firstUs() == hold.firstUs();
  }

  private ReservationOutcome settled(
      ReservationReceipt receipt, List<ReservationEntry> entries, List<HeldKey> keys)
      throws ReservationException {
    long fromUs = frame.nowUs();
    for (int i = 0; i < totals.size(); i++) {
      long largest = receipt.holds().get(i).total();
      totals.set(i, entries.get(i).isConcurrency() ? largest : Math.max(totals.get(i), largest));
      require(!receipt.closed() || totals.get(i) == largest, "total");
      fromUs = Math.max(fromUs, keys.get(i).latestUs());
    }
    Map<String, StoredValue> written = new HashMap<>();
    if (!receipt.closed()) {
      long keepUs = frame.keepUs() > 0 ? frame.keepUs() : receipt.keepUs();
      long untilUs = CallFrame.untilUs(fromUs, keepUs);
      List<ReservationReceipt.Hold> holds = new ArrayList<>();
      for (int i = 0; i < entries.size(); i++) {
        holds.add(settle(i, entries.get(i), receipt, untilUs, keys, written));
      }
      ReservationReceipt going = receipt.going(untilUs, keepUs, frame.keepUs() == 0, holds);
      written.put(String.valueOf(frame.receiptKey()), frame.stored(going));
    }
    List<Long> reply = new ArrayList<>(List.of(1L));
    keys.forEach(key -> reply.addAll(key.report(-1)));
    return new ReservationOutcome(reply, null, written);
  }

  private ReservationReceipt.Hold settle(
      int i,
      ReservationEntry entry,
      ReservationReceipt receipt,
      long untilUs,
      List<HeldKey> keys,
      Map<String, StoredValue> written)
      throws ReservationException {
    ReservationReceipt.Hold hold = receipt.holds().get(i);
    String name = frame.entryKeys().get(i);
    long total = totals.get(i);
    long rest = frame.keepUs() == 0 ? 0 : Math.max(0, entry.cost() - total);
    boolean exists = frame.hex(name) != null;
    HeldKey key = keys.get(i);
    if (holds(hold, key, name)) {
      key = key.releasing(receipt.untilUs(), Math.max(0, entry.cost() - hold.total()));
    }
    key = key.charged(total - hold.total()).holding(untilUs, rest);
    keys.set(i, key);
    if (!exists && total == hold.total() && rest == 0) {
      return new ReservationReceipt.Hold(hold.entry(), hold.at(), hold.firstUs(), total);
    }
    written.put(name, frame.stored(key));
    return new ReservationReceipt.Hold(hold.entry(), hold.at(), key.firstUs(), total);
  }
}
