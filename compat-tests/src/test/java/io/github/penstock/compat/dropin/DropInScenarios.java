package io.github.penstock.compat.dropin;

import static io.github.penstock.scripts.DropInScript.COUNTER;
import static io.github.penstock.scripts.DropInScript.PRORATE_LEAKY_BUCKET;
import static io.github.penstock.scripts.DropInScript.REDIS_BUCKET;
import static io.github.penstock.scripts.DropInScript.TOKEN_BATCHES;
import static io.github.penstock.testkit.model.StoredValue.ENDLESS;
import static io.github.penstock.testkit.model.StoredValue.NOTHING;

import io.github.penstock.compat.vectors.VectorSequence;
import io.github.penstock.scripts.DropInScript;
import io.github.penstock.testkit.model.StoredValue;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** The sequences of each drop-in, besides those about wrong arguments and foreign values. */
final class DropInScenarios {
  private final DropInScript script;
  private final List<VectorSequence> sequences = new ArrayList<>();

  private DropInScenarios(DropInScript script) {
    this.script = script;
  }

  static List<VectorSequence> all(DropInScript script) {
    DropInScenarios scenarios = new DropInScenarios(script);
    switch (script) {
      case PRORATE_LEAKY_BUCKET -> scenarios.prorate();
      case REDIS_BUCKET -> scenarios.redisBucket();
      case RATE_BURST, RATE_BURST_BOOLEAN -> scenarios.rateBurst();
      case TOKEN_BATCHES -> scenarios.tokenBatches();
      case COUNTER -> scenarios.counter();
    }
    scenarios.sequences.addAll(WrongCallScenarios.all(script));
    return scenarios.sequences;
  }

  private void add(String name, UnaryOperator<DropInSequence> calls) {
    sequences.add(calls.apply(new DropInSequence(script, name)).build());
  }

  private static StoredValue text(String text) {
    return StoredValue.string(text, 777_000_000);
  }

  private static StoredValue endless(String text) {
    return StoredValue.string(text, ENDLESS);
  }

  private static StoredValue bytes(String hex) {
    return StoredValue.binary(hex, 777_000_000);
  }

  private void prorate() {
    add(
        "P11 fills, leaks, is exactly full, spills; a peek stores the level of its time",
        s ->
            s.call("0.5 3 5 1700000000")
                .hand(List.of("3.000000000", 0L), "3", "1700000000")
                .call("0.5 2.5 5 1700000001")
                .hand(List.of("5.000000000", 1L), "5", "1700000001")
                .call("0.5 1 5 1700000001.5")
                .hand(List.of("5.000000000", 1L), "5", "1700000001.5")
                .call("0.5 0 5 1700000002.5")
                .hand(List.of("4.500000000", 0L), "4.5", "1700000002.5")
                .call("0.5 0.25 5 1700000002.5")
                .call("0.5 0 5 1700000100"));
    add(
        "P11 an empty bucket that stays empty writes nothing",
        s ->
            s.call("1 0 10 1700000000")
                .hand(List.of("0.0", 0L), "null", "null")
                .call("1 0 10 1700000005")
                .call("1 2 10 1700000005")
                .call("1 0 10 1700000008")
                .hand(List.of("0.000000000", 0L), "0", "1700000008")
                .call("1 0 10 1700000009")
                .hand(List.of("0.0", 0L), "0", "1700000008")
                .call("1 0.5 10 1700000009")
                .hand(List.of("0.0", 0L), "0", "1700000008")
                .call("1 4 10 1700000009")
                .hand(List.of("3.000000000", 0L), "3", "1700000009"));
    add(
        "P11 fractions are the original's, to the last digit",
        s ->
            s.call("0.3 0.1 0.7 1700000000.123456")
                .call("0.3 0.2 0.7 1700000000.223456")
                .call("0.3 0.3 0.7 1700000000.323457")
                .call("0.1 1e-7 0.7 1700000000.723457")
                .call("3 1e-300 0.7 1700000000.723457"));
    add(
        "P11 the time to live is that of a full bucket and a second, rounded up",
        s ->
            s.call("1 1 10 1700000000")
                .call("3 1 10 1700000000")
                .call("1000000 1 1 1700000000")
                .call("1 1 999999999 1700000000")
                .call("1 1 999999999.5 1700000000"));
    add(
        "P9 the clock stepped back: the later time is kept",
        s ->
            s.call("2 5 10 1700000010")
                .call("2 1 10 1700000008")
                .hand(List.of("6.000000000", 0L), "6", "1700000010")
                .call("2 0 10 1700000011")
                .call("2 0 10 1700000007")
                .call("2 9 10 1699999000")
                .hand(List.of("10.000000000", 1L), "10", "1699999005")
                .call("2 0 10 1699999006"));
    add(
        "P6 the least and the greatest that is taken",
        s ->
            s.call("1e15 1e15 1e15 1e10")
                .hand(List.of("1000000000000000.000000000", 1L), "1000000000000000", "10000000000")
                .call("1e15 0 1e15 1e10")
                .before(text("0"), text("1000000000"))
                .call("0.000001 0 0.000001 1e9")
                .call("0.000001 0.0000001 0.000001 1e9"));
    add(
        "P1 P6 a time before 2001 is another argument, one after 2286 is no seconds",
        s ->
            s.call("1 4 10 1700000000")
                .call("1 4 10 100")
                .call("1 4 10 999999999.999999")
                .call("1 4 10 10000000001")
                .call("1 4 10 1700000000000")
                .call("1 4 10 1700000000")
                .hand(List.of("8.000000000", 0L), "8", "1700000000"));
    add(
        "P5 half of the state is none, and a lost time to live comes back",
        s ->
            s.before(text("4"), NOTHING)
                .call("1 1 10 1700000000")
                .hand(List.of("1.000000000", 0L), "1", "1700000000")
                .before(NOTHING, text("1699999999"))
                .call("1 2 10 1700000000")
                .hand(List.of("2.000000000", 0L), "2", "1700000000")
                .before(endless("3"), endless("1700000000"))
                .call("1 0 10 1700000001")
                .before(text("9"), NOTHING)
                .call("1 0 10 1700000001")
                .before(text("20"), text("1700000001"))
                .call("1 0 10 1700000001"));
  }

  private void redisBucket() {
    add(
        "P11 takes, denies, and counts what was denied until a call is allowed again",
        s ->
            s.call("3 1 10 1700000000")
                .hand(List.of(1L, "7", 1L), "ce6553f100" + "00" + "91" + "03")
                .call("8 1 10 1700000000")
                .hand(List.of(0L, "8", 1L), "ce6553f100" + "08" + "91" + "03")
                .call("9 1 10 1700000001")
                .hand(List.of(0L, "17", 1L), "ce6553f101" + "11" + "91" + "02")
                .call("11 1 10 1700000001")
                .call("8 1 10 1700000001")
                .hand(List.of(1L, "0", 1L), "ce6553f101" + "00" + "91" + "0a")
                .call("0 1 10 1700000001")
                .call("0 1 10 1700000100"));
    add(
        "P11 several buckets: all are charged or none, the first with the least room is named",
        s ->
            s.call("2 1 10 0.5 5 0.25 5 1700000000")
                .hand(List.of(1L, "3", 2L), "ce6553f100" + "00" + "93" + "020202")
                .call("4 1 10 0.5 5 0.25 5 1700000000")
                .call("1 1 10 0.5 5 0.25 5 1700000001")
                .call("3 1 10 0.5 5 0.25 5 1700000004.5")
                .call("1 1 2 0.5 5 1700000005")
                .call("9 1 2 1700000006")
                .call("0.5 1 2 0.5 5 0.25 5 0.125 5 1700000007"));
    add(
        "P11 cost 0 writes, and forgets what was denied",
        s ->
            s.call("0 1 10 1700000000")
                .call("11 1 10 1700000000")
                .call("0 1 10 1700000000")
                .call("11 1 10 1700000000"));
    add(
        "P11 the value has 14 digits, floats are packed as the original packs them",
        s ->
            s.call("0.1 0.3 1.1 1700000000.123456")
                .call("0.2 0.3 1.1 1700000000.223456")
                .call("1e-7 0.3 1.1 1700000000.323456")
                .call("3.3 0.3 1.1 1700000000.5")
                .call("0.1 0.3 123456789012.375 1700000000.5")
                .call("300 10 70000 1700000000.5")
                .call("0.5 10 70000 1700000000.5")
                .call("69000 10 70000 1700000000.5")
                .call("5e9 1e6 1e10 1700000000.5")
                .call("1 1 2 5000000000"));
    add(
        "P11 sixteen buckets and one more",
        s ->
            s.call("1" + " 1 100".repeat(15) + " 1700000000")
                .call("1" + " 1 100".repeat(16) + " 1700000000")
                .call("200" + " 1 100".repeat(17) + " 1700000001"));
    add(
        "P11 the time to live is that of the bucket that is empty last",
        s ->
            s.call("1 3 10 1700000000")
                .call("1 3 10 1 7 1700000000")
                .call("20 3 10 1 7 1700000000")
                .call("1 1000 1 1700000000")
                .call("1 1 1000000000 1700000000")
                .call("1 1 1000000001 1700000000")
                .call("1e10 1 10 1700000000"));
    add(
        "P9 the clock stepped back: the later time is kept, no further than the buckets take",
        s ->
            s.call("5 1 10 1700000010")
                .call("1 1 10 1700000005")
                .hand(List.of(1L, "4", 1L), "ce6553f10a" + "00" + "91" + "06")
                .call("20 1 10 1700000006")
                .call("1 1 10 1700000011")
                .call("1 1 10 1600000000")
                .call("20 1 10 1500000000")
                .call("1 1 10 1500000021"));
    add(
        "P6 the least and the greatest that is taken",
        s ->
            s.call("1e15 1e15 1e15 1e10")
                .hand(List.of(1L, "0", 1L), "cf00000002540be4000091cf00038d7ea4c68000")
                .call("0 1e15 1e15 1e10")
                .before(NOTHING, null)
                .call("0 0.001 0.001 1e9"));
    add(
        "P1 P6 a time before 2001 is another argument, one after 2286 is no seconds",
        s ->
            s.call("60 1 100 0.1 100 1700000000")
                .call("60 1 100 0.1 100 1700000000")
                .hand(List.of(0L, "60", 1L), "ce6553f100" + "3c" + "92" + "3c3c")
                .call("1 1 100 0.1")
                .call("1 1 100 999999999.999999")
                .call("1 1 100 10000000001")
                .call("1 1 100 1700000000000")
                .call("60 1 100 0.1 100 1700000000")
                .hand(List.of(0L, "120", 1L), "ce6553f100" + "78" + "92" + "3c3c"));
    add(
        "P11 a first call that is denied",
        s -> s.call("11 1 10 1700000000").hand(List.of(0L, "11", 1L), "ce6553f1000b9100"));
    add(
        "P5 a lost time to live comes back",
        s ->
            s.before(StoredValue.binary("ce6553f100009103", ENDLESS), null)
                .call("1 1 10 1700000000")
                .before(StoredValue.binary("ce6553f100009103", ENDLESS), null)
                .call("9 1 10 1700000000"));
    add(
        "P11 what others packed is read: floats, doubles and every integer",
        s -> {
          for (String hex :
              List.of(
                  "cb41d9551440000000" + "00" + "91" + "ca40200000",
                  "cf000000006553f100" + "cc80" + "dc0001" + "cd0100",
                  "ce6553f0ff" + "ce00010000" + "92" + "cb3fb999999999999a" + "05")) {
            s.before(bytes(hex), null).call("1 1 300 1700000000");
            s.before(bytes(hex), null).call("1000 1 300 1700000000");
          }
          return s;
        });
  }

  private void rateBurst() {
    boolean list = script == DropInScript.RATE_BURST;
    add(
        "P11 starts full, takes, denies, refills; both keys are always written",
        s ->
            s.call("10 20 1700000000 1")
                .hand(list ? List.of(1L, 19L) : 1L, "19", "1700000000")
                .call("10 20 1700000000 19")
                .call("10 20 1700000000 1")
                .hand(list ? List.of(0L, 0L) : null, "0", "1700000000")
                .call("10 20 1700000001 11")
                .hand(list ? List.of(0L, 10L) : null, "10", "1700000001")
                .call("10 20 1700000001 10")
                .call("10 20 1700000100 0")
                .call("10 20 1700000100 21")
                .call("10 20 1700000100 20"));
    add(
        "P11 fractions are kept; the reply has whole tokens",
        s ->
            s.call("0.3 2.5 1700000000 1")
                .hand(list ? List.of(1L, 1L) : 1L, "1.5", "1700000000")
                .call("0.3 2.5 1700000001 0.1")
                .call("0.3 2.5 1700000001.123456 0.7")
                .call("0.3 2.5 1700000001.623457 1.5")
                .call("0.3 2.5 1700000002 3"));
    add(
        "P11 the time to live is twice the time to fill, rounded up, at least a second",
        s ->
            s.call("10 20 1700000000 1")
                .call("3 20 1700000000 1")
                .call("1 500000000 1700000000 1")
                .call("1 500000000.5 1700000000 1"));
    add(
        "P5 a bucket that fills in less than half a second is kept, for a second",
        s -> s.call("1000 100 1700000000 60"));
    add(
        "P9 the clock stepped back: the later time is kept, no further than the bucket takes",
        s ->
            s.call("2 10 1700000010 10")
                .call("2 10 1700000008 1")
                .hand(list ? List.of(0L, 0L) : null, "0", "1700000010")
                .call("2 10 1700000011 2")
                .hand(list ? List.of(1L, 0L) : 1L, "0", "1700000011")
                .call("2 10 1600000000 1")
                .hand(list ? List.of(0L, 0L) : null, "0", "1600000005")
                .call("2 10 1600000007 4"));
    add(
        "P6 the least and the greatest that is taken",
        s ->
            s.call("1e15 1e15 1e15 1e15")
                .call("1e15 1e15 1e15 0")
                .before(text("1e15"), text("1e15"))
                .call("1e15 1e15 1e15 1")
                .before(text("5"), text("0"))
                .call("0.001 0.5 0 0.5")
                .before(NOTHING, NOTHING)
                .call("0.001 10 0 10"));
    add(
        "P5 half of the state is none, and a lost time to live comes back",
        s ->
            s.before(text("0"), NOTHING)
                .call("1 10 1700000000 3")
                .hand(list ? List.of(1L, 7L) : 1L, "7", "1700000000")
                .before(NOTHING, text("1700000005"))
                .call("1 10 1700000000 2")
                .hand(list ? List.of(1L, 8L) : 1L, "8", "1700000000")
                .before(NOTHING, text("1700000000"))
                .call("1 10 1700000000 2")
                .before(endless("5"), endless("1700000000"))
                .call("1 10 1700000000 6")
                .before(text("50"), text("1700000000"))
                .call("1 10 1700000000 6"));
    add(
        "P11 a stored time that still holds stays as it is written",
        s ->
            s.before(text("5.0"), text("1.7e9"))
                .call("1 10 1700000000 3")
                .hand(list ? List.of(1L, 2L) : 1L, "2", "1.7e9")
                .call("1 10 1699999999 3")
                .call("1 10 1700000001 3")
                .hand(list ? List.of(1L, 0L) : 1L, "0", "1700000001"));
  }

  private void tokenBatches() {
    add(
        "P11 starts full; whole batches at whole intervals, and the rest of one is not lost",
        s ->
            s.call("3 2 10 1700000000")
                .hand(2L, "2", "1700000000")
                .call("3 2 10 1700000001")
                .call("3 2 10 1700000002")
                .hand(0L, "0", "1700000000")
                .call("3 2 10 1700000009")
                .hand(-1L, "0", "1700000000")
                .call("3 2 10 1700000015")
                .hand(1L, "1", "1700000010")
                .call("3 2 10 1700000020")
                .hand(2L, "2", "1700000020")
                .call("3 2 10 1700000099")
                .hand(2L, "2", "1700000090")
                .call("1 2 10 1700000099"));
    add(
        "P11 both keys given",
        s ->
            s.keys("k", "t")
                .call("2 1 60 1700000000")
                .call("2 1 60 1700000000")
                .call("2 1 60 1700000059")
                .call("2 1 60 1700000060"));
    add(
        "P11 a batch may be more than fits, an interval long",
        s -> s.call("1 1000000000000 86400 0").call("1 1000000000000 86400 86400"));
    add(
        "P5 the time to live is from empty to full, and a minute",
        s ->
            s.call("10 3 7 1700000000")
                .call("1 1 999999940 1700000000")
                .call("1 1 999999941 1700000000")
                .call("1000000000000 1 1 1700000000")
                .before(endless("5"), endless("1700000000"))
                .call("10 3 7 1700000000")
                .before(endless("0"), endless("1700000000"))
                .call("10 3 7 1700000000"));
    add(
        "P9 the clock stepped back: the later time is kept, no further than the bucket takes",
        s ->
            s.call("2 1 10 1700000010")
                .call("2 1 10 1700000005")
                .hand(0L, "0", "1700000010")
                .call("2 1 10 1700000006")
                .call("2 1 10 1700000019")
                .hand(-1L, "0", "1700000010")
                .call("2 1 10 1700000020")
                .call("2 1 10 1600000000")
                .hand(-1L, "0", "1600000080")
                .call("2 1 10 1600000089")
                .call("2 1 10 1600000090")
                .before(text("2"), text("1800000000"))
                .call("2 1 10 1700000000"));
    add(
        "P6 the least and the greatest that is taken",
        s ->
            s.call("1000000000000 1000000000000 1 1000000000000000")
                .call("1000000000000 1000000000000 1 1000000000000000")
                .before(text("1e15"), text("1e15"))
                .call("1 1 1 1000000000000000")
                .before(text("1"), text("0"))
                .call("1 1 1 0")
                .call("1000000000001 1000000000000 1 0")
                .call("1000000000000 1000000000001 1 0")
                .call("1 1 1000000000 0")
                .call("1 1 1000000001 0"));
    add(
        "P5 half of the state is none",
        s ->
            s.before(text("0"), NOTHING)
                .call("3 1 10 1700000000")
                .hand(2L, "2", "1700000000")
                .before(NOTHING, text("1700000000"))
                .call("3 1 10 1700000000")
                .hand(2L, "2", "1700000000"));
  }

  private void counter() {
    add(
        "P11 counts to the limit and beyond; the first count sets the expiry",
        s ->
            s.call("2 10")
                .hand(1L, "1")
                .call("2 99")
                .hand(2L, "2")
                .call("2 10")
                .hand(-1L, "3")
                .call("2 10")
                .call("5 10")
                .hand(5L, "5"));
    add(
        "P5 a lost expiry comes back above the limit",
        s ->
            s.before(endless("1"), null)
                .call("2 10")
                .hand(2L, "2")
                .call("2 20")
                .hand(-1L, "3")
                .call("2 30"));
    add("P6 the least that is taken", s -> s.call("1 1").hand(1L, "1"));
    add(
        "P6 the greatest that is taken",
        s ->
            s.call("1000000000000 1000000000")
                .call("1000000000001 1000000000")
                .call("1000000000000 1000000001"));
    add("P11 a count of 0 begins a window", s -> s.before(text("0"), null).call("2 10"));
    add(
        "P11 great counts, great limits, long windows",
        s ->
            s.call("1000000000000 1000000000")
                .before(text("999999999999"), null)
                .call("1000000000000 10")
                .call("1000000000000 10"));
  }
}
