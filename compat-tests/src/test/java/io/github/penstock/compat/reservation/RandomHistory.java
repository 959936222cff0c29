package io.github.penstock.compat.reservation;

import io.github.penstock.testkit.model.StoredValue;
import io.github.penstock.testkit.reservation.ReservationModel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * A random history: reservations of one to eight entries, sent again after a lost answer, settled
 * in parts, late, twice and for less, beside callers of the scripts themselves; a clock that steps,
 * keys that are deleted and receipts that are evicted.
 */
final class RandomHistory {
  private static final long START_US = 1_763_712_000_000_000L;
  private static final long LATEST_US = 4_500_000_000_000_000L;
  private static final long[] KEEPS_US = {1000, 8191, 300_000, 5_000_000, 60_000_000};
  private static final int LIMITS = 9;
  private static final int STEPS = 40;
  private static final int IDS = 7;

  private final Random random;
  private final ReservationModel model = new ReservationModel();
  private final List<ReservationStep> steps = new ArrayList<>();
  private final List<HistoryLimits> limits;
  private final Map<String, ReservationStep> made = new HashMap<>();
  private final String group;
  private Map<String, StoredValue> before = Map.of();
  private long nowUs = START_US;
  private long waitUs;

  private RandomHistory(long seed, String group) {
    this.random = new Random(seed);
    this.group = group;
    int charged = 1 + random.nextInt(LIMITS - 2);
    this.limits =
        new ArrayList<>(
            IntStream.range(0, LIMITS)
                .mapToObj(i -> HistoryLimits.random(random, group + i, i < charged))
                .toList());
  }

  /** The steps of a history on keys that begin with a group. */
  static List<ReservationStep> of(long seed, String group) {
    RandomHistory history = new RandomHistory(seed, group);
    for (int i = 0; i < STEPS; i++) {
      history.step();
    }
    return history.steps;
  }

  private void step() {
    moveClock();
    before = Map.of();
    switch (random.nextInt(16)) {
      case 0, 1, 2, 3, 4 -> reserve(newId(), random.nextInt(8) > 0);
      case 5 -> peek();
      case 6, 7 -> again();
      case 8, 9, 10, 11, 12 -> settle();
      case 13 -> nativeCall();
      case 14 -> {
        List<String> keys = limits.stream().map(HistoryLimits::key).toList();
        before = Map.of(keys.get(random.nextInt(keys.size())), StoredValue.NOTHING);
        lose();
      }
      default -> {
        if (!made.isEmpty()) {
          before = Map.of(anyId(), StoredValue.NOTHING);
          lose();
        }
      }
    }
  }

  private void moveClock() {
    long stepUs = KEEPS_US[random.nextInt(KEEPS_US.length)];
    switch (random.nextInt(12)) {
      case 0, 1, 2 -> nowUs += random.nextInt(2000);
      case 3 -> nowUs += stepUs;
      case 4 -> nowUs += stepUs / 3;
      case 5 -> nowUs -= Math.min(nowUs - START_US / 2, stepUs / (1 + random.nextInt(3)));
      case 6, 7 -> nowUs += Math.max(0, waitUs);
      case 8 -> nowUs += Math.max(0, waitUs - 1);
      case 9 -> {
        ReservationStep last = made.isEmpty() ? null : made.get(anyId());
        if (last != null) {
          long keepUs = Long.parseLong(last.arguments().get(0));
          long step = Long.highestOneBit(keepUs / 8);
          long untilUs =
              (Long.parseLong(last.arguments().get(1)) + keepUs + step - 1) / step * step;
          nowUs = untilUs + random.nextInt(3) - 1;
        }
      }
      default -> {}
    }
    nowUs = nowUs < LATEST_US ? nowUs : START_US;
  }

  private void add(String script, List<String> keys, List<String> arguments) {
    ReservationStep step = ReservationStep.on(model, before, script, keys, arguments);
    steps.add(step);
    if (step.error() == null && script.equals(ReservationModel.RESERVE)) {
      waitUs = step.reply().get(0) == 0 ? step.reply().get(1) : waitUs;
    }
  }

  private String newId() {
    return group + "id" + random.nextInt(IDS);
  }

  private String anyId() {
    List<String> ids = made.keySet().stream().sorted().toList();
    return ids.get(random.nextInt(ids.size()));
  }

  private String keepUs() {
    return Long.toString(KEEPS_US[random.nextInt(KEEPS_US.length)]);
  }

  private void reserve(String id, boolean withReceipt) {
    Collections.shuffle(limits, random);
    int entries = random.nextInt(3) > 0 ? 1 + random.nextInt(3) : 1 + random.nextInt(8);
    List<String> keys = new ArrayList<>();
    List<String> arguments = new ArrayList<>();
    for (HistoryLimits limit : limits.subList(0, entries)) {
      boolean debits = limit.canDebit() && random.nextInt(4) == 0;
      if (!withReceipt && limit.isHeld() && !limit.canDebit()) {
        continue;
      }
      boolean mustDebit = debits || limit.isHeld() && !withReceipt;
      keys.add(limit.key());
      arguments.addAll(limit.entry(mustDebit ? "debit" : limit.mode(), cost(limit)));
    }
    if (keys.isEmpty()) {
      return;
    }
    arguments.addAll(0, List.of(withReceipt ? keepUs() : "0", Long.toString(nowUs)));
    if (withReceipt) {
      keys.add(id);
    }
    add(ReservationModel.RESERVE, keys, arguments);
    ReservationStep step = steps.get(steps.size() - 1);
    boolean isNew = step.error() == null && step.reply().get(0) == 1 && step.reply().get(3) == 0;
    if (withReceipt && isNew) {
      made.put(id, step);
    }
  }

  private long cost(HistoryLimits limit) {
    return switch (random.nextInt(10)) {
      case 0 -> limit.limit();
      case 1 -> limit.limit() + 1;
      case 2, 3 -> 1 + limit.limit() / 2;
      default -> 1 + random.nextInt((int) Math.min(8, limit.limit()));
    };
  }

  private void peek() {
    Collections.shuffle(limits, random);
    List<String> keys = new ArrayList<>();
    List<String> arguments = new ArrayList<>(List.of("0", Long.toString(nowUs)));
    for (HistoryLimits limit : limits.subList(0, 1 + random.nextInt(8))) {
      keys.add(limit.key());
      arguments.addAll(limit.entry(limit.mode(), 0));
    }
    add(ReservationModel.RESERVE, keys, arguments);
  }

  /** Sends a call again, now and then with other arguments. */
  private void again() {
    if (made.isEmpty()) {
      return;
    }
    ReservationStep first = made.get(anyId());
    List<String> arguments = new ArrayList<>(first.arguments());
    arguments.set(0, random.nextBoolean() ? keepUs() : arguments.get(0));
    arguments.set(1, Long.toString(nowUs));
    if (random.nextInt(6) == 0) {
      arguments.set(4, Long.toString(Long.parseLong(arguments.get(4)) + 1));
    }
    add(ReservationModel.RESERVE, first.keys(), arguments);
  }

  private void settle() {
    if (made.isEmpty()) {
      return;
    }
    ReservationStep first = made.get(anyId());
    List<String> keys = new ArrayList<>();
    List<String> totals = new ArrayList<>();
    int at = 2;
    for (int i = 0; i < first.keys().size() - 1; i++) {
      String key = first.keys().get(i);
      HistoryLimits limit =
          limits.stream().filter(l -> l.key().equals(key)).findFirst().orElseThrow();
      if (first.arguments().get(at).equals("reserve")) {
        keys.add(key);
        totals.add(Long.toString(total(Long.parseLong(first.arguments().get(at + 2)))));
      }
      at += limit.entry("", 0).size();
    }
    if (keys.isEmpty() || random.nextInt(20) == 0) {
      keys = new ArrayList<>(first.keys().subList(0, first.keys().size() - 1));
      totals = Collections.nCopies(keys.size(), "1");
    }
    keys.add(first.keys().get(first.keys().size() - 1));
    List<String> arguments = new ArrayList<>();
    arguments.add(random.nextBoolean() ? "0" : keepUs());
    arguments.add(Long.toString(nowUs));
    arguments.addAll(totals);
    add(ReservationModel.SETTLE, keys, arguments);
    if (random.nextInt(4) == 0) {
      before = Map.of();
      add(ReservationModel.SETTLE, keys, arguments);
    }
  }

  private long total(long cost) {
    return switch (random.nextInt(8)) {
      case 0 -> 0;
      case 1 -> cost;
      case 2 -> cost * 2;
      case 3 -> 1_000_000_000_000L;
      default -> random.nextInt((int) Math.min(1000, cost) + 1);
    };
  }

  private void nativeCall() {
    List<HistoryLimits> charged = limits.stream().filter(limit -> !limit.isHeld()).toList();
    HistoryLimits limit = charged.get(random.nextInt(charged.size()));
    List<String> arguments = new ArrayList<>();
    arguments.add(random.nextInt(4) == 0 ? "-1" : Long.toString(cost(limit)));
    arguments.addAll(limit.numbers());
    arguments.add(Long.toString(nowUs));
    add(limit.script(), List.of(limit.key()), arguments);
  }

  /** Loses a key, seen by whatever comes next. */
  private void lose() {
    String lost = before.keySet().iterator().next();
    boolean receipt = made.containsKey(lost);
    List<String> key = List.of(receipt ? limits.get(0).key() : lost);
    HistoryLimits limit =
        limits.stream().filter(l -> l.key().equals(key.get(0))).findFirst().orElseThrow();
    List<String> arguments = new ArrayList<>(List.of(receipt ? "1000" : "0", "" + nowUs));
    if (receipt) {
      arguments.addAll(limit.entry(limit.mode(), 1));
      add(ReservationModel.RESERVE, List.of(limit.key(), lost), arguments);
      made.put(lost, steps.get(steps.size() - 1));
    } else {
      arguments.addAll(limit.entry(limit.mode(), 0));
      add(ReservationModel.RESERVE, key, arguments);
    }
  }
}
