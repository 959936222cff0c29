package io.github.penstock.compat.vectors;

import io.github.penstock.testkit.model.ExpectedOutcome;
import io.github.penstock.testkit.model.StoredValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Sequences whose expectations were computed on paper from the protocol, so that the model is not
 * held against itself alone.
 *
 * <p>A line is {@code arguments | reply | stored value and its time to live in ms}; {@code =}
 * leaves the stored value as it was, {@code -} is no key, and a reply in words is the argument of
 * an error.
 */
final class HandScenarios {
  private HandScenarios() {}

  static void addTo(SequenceScenarios scenarios) {
    switch (scenarios.algorithm()) {
      case FIXED_WINDOW -> windows(scenarios);
      case TOKEN_BUCKET -> tokenBuckets(scenarios);
      case LEAKY_BUCKET -> leakyBuckets(scenarios);
      case SLIDING_WINDOW -> slidingWindows(scenarios);
      case INTERVAL_BUCKET -> intervalBuckets(scenarios);
    }
  }

  private static void tokenBuckets(SequenceScenarios s) {
    s.add(
        hand(
            "P4 P7 as many calls as fit, in two tiers too",
            "3*4 10 10 1000000 1700000000000000 | 3 10 1 0 900000 1 | 1700000000900000 60900",
            "2*5 10 10 1000000 1700000000000000 | 0 10 1 100000 900000 1 | =",
            "2*5 10 10 1000000 1700000000900000 | 5 10 0 0 1000000 1 | 1700000001900000 61000",
            "11*2 10 10 1000000 1700000002000000 | 0 10 10 -1 0 1 | ="));
    s.add(
        hand(
            "P4 P7 as many calls as fit into both tiers",
            "2*5 10 10 1000000 7 7 7000000 1700000000000000 | 3 7 1 0 6000000 2 | 1700000000600000 1700000006000000 66000"));
    s.add(
        hand(
            "P2 P7 ten a second: allowed, too many, never, a peek",
            "3 10 10 1000000 1700000000000000 | 1 10 7 0 300000 1 | 1700000000300000 60300",
            "8 10 10 1000000 1700000000000000 | 0 10 7 100000 300000 1 | =",
            "11 10 10 1000000 1700000000000000 | 0 10 7 -1 300000 1 | =",
            "0 10 10 1000000 1700000000100000 | 1 10 8 0 200000 1 | ="));
    s.add(
        hand(
            "P7 seven per three seconds keep their sevenths",
            "1 7 7 3000000 1700000000000000 | 1 7 6 0 428572 1 | 1700000000428571+3 60429",
            "1 7 7 3000000 1700000000000000 | 1 7 5 0 857143 1 | 1700000000857142+6 60858",
            "1 7 7 3000000 1700000000000000 | 1 7 4 0 1285715 1 | 1700000001285714+2 61286",
            "4 7 7 3000000 1700000000000000 | 1 7 0 0 3000000 1 | 1700000003000000 63000",
            "1 7 7 3000000 1700000000000000 | 0 7 0 428572 3000000 1 | =",
            "1 7 7 3000000 1700000000428571 | 0 7 0 1 2571429 1 | =",
            "1 7 7 3000000 1700000000428572 | 1 7 0 0 3000000 1 | 1700000003428571+3 63000"));
    s.add(
        hand(
            "P4 two tiers: the second denies and nothing is charged",
            "6 10 10 1000000 12 12 60000000 1700000000000000 | 1 10 4 0 600000 1 | 1700000000600000 1700000030000000 90000",
            "7 10 10 1000000 12 12 60000000 1700000001000000 | 0 12 6 4000000 29000000 2 | =",
            "6 10 10 1000000 12 12 60000000 1700000001000000 | 1 12 0 0 59000000 2 | 1700000001600000 1700000060000000 119000"));
    s.add(
        hand(
            "P10 refunds: a part, more than the rest, on no key",
            "3 10 10 1000000 1700000000000000 | 1 10 7 0 300000 1 | 1700000000300000 60300",
            "-2 10 10 1000000 1700000000000000 | 1 10 9 0 100000 1 | 1700000000100000 60100",
            "-5 10 10 1000000 1700000000000000 | 1 10 10 0 0 1 | -",
            "-5 10 10 1000000 1700000000000000 | 1 10 10 0 0 1 | ="));
    s.add(
        hand(
            "P9 five seconds back: cut to full, written on a denial",
            "10 10 10 1000000 1700000000000000 | 1 10 0 0 1000000 1 | 1700000001000000 61000",
            "0 10 10 1000000 1699999995000000 | 1 10 0 0 1000000 1 | =",
            "1 10 10 1000000 1699999995000000 | 0 10 0 100000 1000000 1 | 1699999996000000 61000",
            "1 10 10 1000000 1699999995100000 | 1 10 0 0 1000000 1 | 1699999996100000 61000"));
    s.add(
        hand(
            "P6 nothing wrong is ever taken",
            "1 0 10 1000000 1700000000000000 | capacity | -",
            "1 10 0.5 1000000 1700000000000000 | refill_tokens | -",
            "1 10 10 inf 1700000000000000 | refill_period_us | -",
            "nan 10 10 1000000 1700000000000000 | cost | -",
            "1 10 10 1000000 1700000000 | now_us | -",
            "1 10 10 | tier | -"));
  }

  private static void leakyBuckets(SequenceScenarios s) {
    s.add(
        hand(
            "P7 as many calls as fit, and the wait of the first of them",
            "1*5 3 1 1000000 1700000000000000 | 3 3 0 0 3000000 1 | 1700000003000000 63000",
            "1*5 3 1 1000000 1700000000000000 | 0 3 0 1000000 3000000 1 | =",
            "1*2 3 1 1000000 1700000001000000 | 1 3 0 2000000 3000000 1 | 1700000004000000 63000"));
    s.add(
        hand(
            "P7 one a second: each admitted call is told its turn",
            "1 3 1 1000000 1700000000000000 | 1 3 2 0 1000000 1 | 1700000001000000 61000",
            "1 3 1 1000000 1700000000000000 | 1 3 1 1000000 2000000 1 | 1700000002000000 62000",
            "1 3 1 1000000 1700000000000000 | 1 3 0 2000000 3000000 1 | 1700000003000000 63000",
            "1 3 1 1000000 1700000000000000 | 0 3 0 1000000 3000000 1 | =",
            "0 3 1 1000000 1700000000500000 | 1 3 0 2500000 2500000 1 | =",
            "-1 3 1 1000000 1700000000500000 | 1 3 1 0 1500000 1 | 1700000002000000 61500"));
    s.add(
        hand(
            "P7 the wait is the longest backlog, the tier the one with the fewest remaining",
            "2 3 1 1000000 20 1 3000000 1700000000000000 | 1 3 1 0 2000000 1 | 1700000002000000 1700000006000000 66000",
            "1 3 1 1000000 20 1 3000000 1700000001000000 | 1 3 1 5000000 2000000 1 | 1700000003000000 1700000009000000 68000"));
  }

  private static void windows(SequenceScenarios s) {
    s.add(
        hand(
            "P7 as many calls as fit",
            "2*9 5 1000000 1700000000000000 | 2 5 1 0 1000000 1 | 1700000001000000:4 61000",
            "2*9 5 1000000 1700000000400000 | 0 5 1 600000 600000 1 | =",
            "1*1 5 1000000 1700000000400000 | 1 5 0 0 600000 1 | 1700000001000000:5 60600"));
    s.add(
        hand(
            "P7 five in a second, up to the last microsecond",
            "3 5 1000000 1700000000000000 | 1 5 2 0 1000000 1 | 1700000001000000:3 61000",
            "3 5 1000000 1700000000400000 | 0 5 2 600000 600000 1 | =",
            "6 5 1000000 1700000000400000 | 0 5 2 -1 600000 1 | =",
            "2 5 1000000 1700000000999999 | 1 5 0 0 1 1 | 1700000001000000:5 60001",
            "1 5 1000000 1700000001000000 | 1 5 4 0 1000000 1 | 1700000002000000:1 61000"));
    s.add(
        hand(
            "P9 ten seconds back: the window's end is cut, its count stays",
            "2 5 1000000 1700000000000000 | 1 5 3 0 1000000 1 | 1700000001000000:2 61000",
            "4 5 1000000 1699999990000000 | 0 5 3 1000000 1000000 1 | 1699999991000000:2 61000",
            "3 5 1000000 1699999990500000 | 1 5 0 0 500000 1 | 1699999991000000:5 60500"));
    s.add(
        hand(
            "P7 P10 a lowered limit, a refund of all",
            "4 5 1000000 1700000000000000 | 1 5 1 0 1000000 1 | 1700000001000000:4 61000",
            "1 3 1000000 1700000000250000 | 0 3 0 750000 750000 1 | =",
            "-2 3 1000000 1700000000250000 | 1 3 1 0 750000 1 | 1700000001000000:2 60750",
            "-2 3 1000000 1700000000250000 | 1 3 3 0 0 1 | -"));
    s.add(
        hand(
            "P4 two tiers: the one with the longer wait decides",
            "2 2 1000000 3 60000000 1700000000000000 | 1 2 0 0 1000000 1 | 1700000001000000:2 1700000060000000:2 120000",
            "2 2 1000000 3 60000000 1700000000500000 | 0 3 1 59500000 59500000 2 | =",
            "1 2 1000000 3 60000000 1700000001000000 | 1 3 0 0 59000000 2 | 1700000002000000:1 1700000060000000:3 119000"));
  }

  private static void slidingWindows(SequenceScenarios s) {
    s.add(
        hand(
            "P3 P7 P9 P10 ten in a second that slides: full, fading, refunded, ten seconds back",
            "4 10 1000000 1700000000000000 | 1 10 6 0 2000000 1 | 1700000001000000:4:0 62000",
            "6 10 1000000 1700000000500000 | 1 10 0 0 1500000 1 | 1700000001000000:10:0 61500",
            "1 10 1000000 1700000000500000 | 0 10 0 600000 1500000 1 | =",
            "1 10 1000000 1700000001099999 | 0 10 0 1 900001 1 | =",
            "1 10 1000000 1700000001100000 | 1 10 0 0 1900000 1 | 1700000002000000:1:10 61900",
            "1 10 1000000 1700000001100001 | 0 10 0 99999 1899999 1 | =",
            "11 10 1000000 1700000001100001 | 0 10 0 -1 1899999 1 | =",
            "-2 10 1000000 1700000001200000 | 1 10 2 0 800000 1 | 1700000002000000:0:9 60800",
            "1 10 1000000 1699999990000000 | 1 10 0 0 2000000 1 | 1699999991000000:1:9 62000"));
    s.add(
        hand(
            "P4 P7 as many calls as fit, in two tiers too",
            "2*9 5 1000000 1700000000000000 | 2 5 1 0 2000000 1 | 1700000001000000:4:0 62000",
            "2*9 5 1000000 1700000000000000 | 0 5 1 1250000 2000000 1 | =",
            "1*3 5 1000000 1700000001250000 | 2 5 0 0 1750000 1 | 1700000002000000:2:4 61750"));
  }

  private static void intervalBuckets(SequenceScenarios s) {
    s.add(
        hand(
            "P3 P7 P9 P10 four each second: batches, a refund, full again, ten seconds back",
            "10 10 4 1000000 1700000000000000 | 1 10 0 0 3000000 1 | 1700000001000000:10 63000",
            "5 10 4 1000000 1700000000250000 | 0 10 0 1750000 2750000 1 | =",
            "3 10 4 1000000 1700000001000000 | 1 10 1 0 3000000 1 | 1700000002000000:9 63000",
            "-4 10 4 1000000 1700000001500000 | 1 10 5 0 1500000 1 | 1700000002000000:5 61500",
            "1 10 4 1000000 1700000004700000 | 1 10 9 0 1000000 1 | 1700000005700000:1 61000",
            "0 10 4 1000000 1699999990000000 | 1 10 9 0 1000000 1 | =",
            "1 10 4 1000000 1699999990000000 | 1 10 8 0 1000000 1 | 1699999991000000:2 61000"));
    s.add(
        hand(
            "P7 as many calls as fit",
            "4*3 10 4 1000000 1700000000000000 | 2 10 2 0 2000000 1 | 1700000001000000:8 62000",
            "4*3 10 4 1000000 1700000000000000 | 0 10 2 1000000 2000000 1 | =",
            "1*6 10 4 1000000 1700000001000000 | 6 10 0 0 3000000 1 | 1700000002000000:10 63000"));
  }

  private static VectorSequence hand(String name, String... lines) {
    List<VectorStep> steps = new ArrayList<>();
    StoredValue stored = StoredValue.NOTHING;
    for (String line : lines) {
      String[] parts = line.split(" \\| ");
      StoredValue after = stored(parts[2], stored);
      List<String> arguments = List.of(parts[0].split(" "));
      boolean written = !parts[2].equals("=") && !parts[1].matches("[a-z_]+");
      steps.add(
          new VectorStep(
              null, List.of(VectorStep.DEFAULT_KEY), arguments, outcome(parts[1], written, after)));
      stored = after;
    }
    return new VectorSequence(name, VectorSequence.Origin.HAND, steps);
  }

  private static ExpectedOutcome outcome(String answer, boolean written, StoredValue stored) {
    if (answer.matches("[a-z_]+")) {
      return new ExpectedOutcome(List.of(), answer, false, stored);
    }
    List<Long> reply = Arrays.stream(answer.split(" ")).map(Long::valueOf).toList();
    return new ExpectedOutcome(reply, null, written, stored);
  }

  private static StoredValue stored(String text, StoredValue before) {
    if (text.equals("=")) {
      return before;
    }
    int space = text.lastIndexOf(' ');
    return text.equals("-")
        ? StoredValue.NOTHING
        : StoredValue.string(text.substring(0, space), Long.parseLong(text.substring(space + 1)));
  }
}
