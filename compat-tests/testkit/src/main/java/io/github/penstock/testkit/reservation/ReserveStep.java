package io.github.penstock.testkit.reservation;

import static io.github.penstock.testkit.reservation.ReservationException.require;
import static java.util.Objects.requireNonNull;

import io.github.penstock.testkit.model.ExactModel;
import io.github.penstock.testkit.model.ExpectedOutcome;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import io.github.penstock.testkit.model.StoredValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One call of {@code reserve}. */
final class ReserveStep {
  private static final int FIRST = 2;
  private static final long NEVER = -1;
  private static final long HOPELESS = 1_000_000_000_000L;

  private final CallFrame frame;
  private final List<String> keys;
  private final List<String> arguments;
  private final List<Decided> entries = new ArrayList<>();
  private @Nullable ReservationReceipt made;

  ReserveStep(ReservationModel server, List<String> keys, List<String> arguments)
      throws ReservationException {
    this.frame = CallFrame.read(server, keys, arguments, false);
    this.keys = keys;
    this.arguments = arguments;
  }

  /**
   * An entry and its own result.
   *
   * @param at the index of its first argument
   * @param alone the native script's outcome; null on an {@code r} key
   * @param key the state of the {@code r} key; null for an entry that charges
   */
  private record Decided(
      ReservationEntry entry,
      String name,
      int at,
      long waitUs,
      int denying,
      @Nullable ExpectedOutcome alone,
      @Nullable HeldKey key) {

    long urgency() {
      return waitUs == NEVER ? Long.MAX_VALUE : waitUs;
    }
  }

  ReservationOutcome outcome() throws ReservationException {
    made = earlier();
    int at = FIRST;
    Boolean peeks = null;
    for (int i = 0; i < frame.entryKeys().size(); i++) {
      try {
        ReservationEntry entry = ReservationEntry.read(arguments, at, frame.keepUs(), peeks);
        peeks = entry.cost() == 0;
        entries.add(decide(entry, frame.entryKeys().get(i), at));
        at += entry.size();
      } catch (ReservationException problem) {
        String of = "entry " + (i + 1) + " " + problem.argument();
        boolean server = problem.argument().equals(ExpectedOutcome.WRONG_TYPE);
        throw new ReservationException(server ? problem.argument() : of.strip());
      }
    }
    require(at == arguments.size(), "entry " + (entries.size() + 1));
    Decided worst = entries.get(0);
    for (Decided entry : entries) {
      worst = entry.urgency() > worst.urgency() ? entry : worst;
    }
    return worst.waitUs() == 0 ? allowed() : denied(worst);
  }

  /** The receipt of the same call, unless that is over. */
  private @Nullable ReservationReceipt earlier() throws ReservationException {
    ReservationReceipt receipt = frame.receipt("id");
    if (receipt == null || frame.nowUs() >= receipt.untilUs()) {
      return null;
    }
    boolean same =
        receipt.keys().equals(keys)
            && receipt.arguments().size() == arguments.size()
            && receipt
                .arguments()
                .subList(FIRST, arguments.size())
                .equals(arguments.subList(FIRST, arguments.size()));
    require(same, "id");
    if (frame.isOver(receipt)) {
      return null;
    }
    require(!receipt.closed(), "id");
    return receipt;
  }

  private Decided decide(ReservationEntry entry, String name, int at) throws ReservationException {
    if (entry.charges()) {
      ExpectedOutcome alone = alone(entry, name, made == null ? entry.cost() : 0);
      long waitUs = alone.allowed() ? 0 : alone.waitUs();
      return new Decided(entry, name, at, waitUs, 0, alone, null);
    }
    HeldKey key = frame.held(name, entry.tiers());
    long longestUs = 0;
    int denying = -1;
    for (int tier = 0; tier < entry.tiers().size() && made == null && longestUs >= 0; tier++) {
      long waitUs = key.waitUs(tier, entry.cost());
      if (waitUs == NEVER || waitUs > longestUs) {
        longestUs = waitUs;
        denying = tier;
      }
    }
    return new Decided(entry, name, at, longestUs, denying, null, key);
  }

  /** The result of the entry's own script. */
  private ExpectedOutcome alone(ReservationEntry entry, String name, long cost)
      throws ReservationException {
    List<String> call = new ArrayList<>(List.of(Long.toString(cost)));
    call.addAll(entry.numbers());
    call.add(Long.toString(frame.nowUs()));
    StoredValue stored = frame.server().get(name);
    ExpectedOutcome outcome =
        ExactModel.of(ScriptAlgorithm.named(entry.script()))
            .call(List.of(name), call, stored, frame.nowUs());
    if (outcome.error() != null) {
      throw new ReservationException(outcome.error());
    }
    return outcome;
  }

  private ReservationOutcome allowed() {
    boolean does = made == null && entries.get(0).entry().cost() > 0;
    long fromUs = frame.nowUs();
    for (Decided decided : entries) {
      if (decided.key() != null && decided.entry().reserves()) {
        fromUs = Math.max(fromUs, decided.key().latestUs());
      }
    }
    long untilUs = frame.keepUs() == 0 ? 0 : CallFrame.untilUs(fromUs, frame.keepUs());
    Map<String, StoredValue> written = new HashMap<>();
    List<ReservationReceipt.Hold> holds = new ArrayList<>();
    List<Long> rest = new ArrayList<>();
    long turnUs = 0;
    for (int i = 0; i < entries.size(); i++) {
      Decided decided = entries.get(i);
      if (decided.key() == null) {
        ExpectedOutcome alone = requireNonNull(decided.alone());
        turnUs = Math.max(turnUs, alone.waitUs());
        if (alone.written()) {
          written.put(decided.name(), alone.stored());
        }
        rest.addAll(report(alone));
        continue;
      }
      HeldKey key = does ? after(decided, decided.key(), untilUs) : decided.key();
      if (does) {
        written.put(decided.name(), frame.stored(key));
      }
      if (does && decided.entry().reserves()) {
        holds.add(new ReservationReceipt.Hold(i + 1, decided.at() + 1, key.firstUs(), 0));
      }
      rest.addAll(key.report(-1));
    }
    if (does && frame.receiptKey() != null) {
      long turnAtUs = turnUs > 0 ? frame.nowUs() + turnUs : 0;
      written.put(
          frame.receiptKey(),
          frame.stored(
              new ReservationReceipt(
                  untilUs, frame.keepUs(), false, turnAtUs, holds, keys, arguments)));
    }
    long waitUs =
        made == null ? turnUs : Math.max(0, Math.min(turnUs, made.turnUs() - frame.nowUs()));
    List<Long> reply = new ArrayList<>(List.of(1L, waitUs, 0L, made == null ? 0L : 1L));
    reply.addAll(rest);
    return new ReservationOutcome(reply, null, written);
  }

  private static HeldKey after(Decided decided, HeldKey key, long untilUs) {
    long cost = decided.entry().cost();
    return decided.entry().reserves() ? key.holding(untilUs, cost) : key.charged(cost);
  }

  private ReservationOutcome denied(Decided worst) throws ReservationException {
    List<Long> reply =
        new ArrayList<>(List.of(0L, worst.waitUs(), entries.indexOf(worst) + 1L, 0L));
    Map<String, StoredValue> written = new HashMap<>();
    for (Decided decided : entries) {
      HeldKey key = decided.key();
      if (key != null) {
        reply.addAll(key.report(decided.denying()));
        if (key.changed()) {
          written.put(decided.name(), frame.stored(key));
        }
        continue;
      }
      ExpectedOutcome alone = requireNonNull(decided.alone());
      reply.addAll(
          report(decided.waitUs() == 0 ? alone(decided.entry(), decided.name(), 0) : alone));
      // A cost above any limit is denied, and so stores only the cut of a clock step.
      ExpectedOutcome hopeless = alone(decided.entry(), decided.name(), HOPELESS);
      if (hopeless.written()) {
        written.put(decided.name(), hopeless.stored());
      }
    }
    return new ReservationOutcome(reply, null, written);
  }

  private static List<Long> report(ExpectedOutcome alone) {
    List<Long> reply = alone.reply();
    return List.of(reply.get(1), reply.get(2), 0L, reply.get(4), reply.get(5));
  }
}
