package io.github.penstock.testkit.reservation;

import static io.github.penstock.testkit.reservation.ReservationException.require;

import io.github.penstock.testkit.model.StoredValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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
    if (receipt == null) {
      return unknown();
    }
    require(receipt.holdingKeys().equals(frame.entryKeys()), "key");
    return frame.isOver(receipt) ? unknown() : settled(receipt);
  }

  private ReservationOutcome unknown() {
    List<Long> reply =
        new ArrayList<>(Collections.nCopies(1 + REPORTED * frame.entryKeys().size(), 0L));
    return new ReservationOutcome(reply, null, Map.of());
  }

  private ReservationOutcome settled(ReservationReceipt receipt) throws ReservationException {
    List<ReservationEntry> entries = new ArrayList<>();
    for (int i = 0; i < totals.size(); i++) {
      ReservationReceipt.Hold hold = receipt.holds().get(i);
      ReservationEntry entry = receipt.entry(hold);
      entries.add(entry);
      totals.set(i, entry.isConcurrency() ? 0 : Math.max(totals.get(i), hold.total()));
      require(!receipt.closed() || totals.get(i) == hold.total(), "total");
    }
    List<HeldKey> keys = new ArrayList<>();
    long fromUs = frame.nowUs();
    for (int i = 0; i < entries.size(); i++) {
      HeldKey key = frame.held(frame.entryKeys().get(i), entries.get(i).tiers());
      keys.add(key);
      fromUs = Math.max(fromUs, key.latestUs());
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
    if (exists && key.firstUs() == hold.firstUs()) {
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
