package io.github.penstock.simulator.tokens;

import io.github.penstock.simulator.traffic.LimitCandidate;
import io.github.penstock.simulator.traffic.TrafficScenario;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Built-in traffic of a language model's gateway: always the same calls for the same seed.
 *
 * <p>One client, five minutes: 50 calls a minute at random times, and about once a minute 40 more
 * within two seconds; or 40 at the beginning, and 150 a minute from 75 s on. A call uses 200 to
 * 5,000 tokens, 1,490 on average: each doubling is as frequent as any other, and so it is with how
 * long calls take.
 *
 * @param title the subject of the setting
 * @param steady calls that come one by one
 * @param burst calls that come at once
 * @param batchFirst whether these come only at the beginning, and the others then
 */
public record TokenSetting(String title, CallKind steady, CallKind burst, boolean batchFirst) {
  /** How many seeds each setting is played with. */
  public static final int SEEDS = 20;

  /** The limit that this traffic was made for. */
  public static final LimitCandidate LIMIT = LimitCandidate.of("sliding-window:100000/1m");

  private static final long SECOND_US = 1_000_000;
  private static final long MINUTE_US = 60 * SECOND_US;
  private static final long LENGTH_US = 5 * MINUTE_US;
  private static final double CALLS_PER_MINUTE = 50;
  private static final double AFTER_BATCH_PER_MINUTE = 150;
  private static final double AFTER_BATCH_US = 75 * SECOND_US;
  private static final int BURST = 40;
  private static final double BURST_US = 2 * SECOND_US;
  private static final double FEWEST = 200;
  private static final double MOST = 5_000;

  /**
   * How long calls take, and how they are estimated.
   *
   * @param shortest and {@code longest}: seconds
   * @param least and {@code most}: the estimate as a multiple of the actual use
   * @param constant the estimate if it does not depend on the actual use; otherwise 0
   */
  public record CallKind(
      double shortest, double longest, double least, double most, long constant) {
    private TokenCall call(SplittableRandom random, double atUs) {
      long used = Math.round(between(random, FEWEST, MOST));
      long durationUs = Math.round(between(random, shortest, longest) * SECOND_US);
      double factor = least + random.nextDouble() * (most - least);
      long estimated = constant > 0 ? constant : Math.max(1, Math.round(used * factor));
      long timeUs = TrafficScenario.BEGIN_US + (long) atUs;
      return new TokenCall(timeUs, "tenant", durationUs, estimated, used);
    }
  }

  /** The settings of {@code --scenario tokens}; those in which reserving loses are among them. */
  public static List<TokenSetting> all() {
    return List.of(
        alike("calls of 1 to 60 s, estimate 1 to 8 times", new CallKind(1, 60, 1, 8, 0)),
        alike("calls of 1 to 60 s, estimate 1,500 each", new CallKind(1, 60, 0, 0, 1_500)),
        new TokenSetting(
            "a batch of 90 to 110 s, 8 times; then 1 to 3 s, exact",
            new CallKind(1, 3, 1, 1, 0),
            new CallKind(90, 110, 8, 8, 0),
            true),
        alike("calls of 1 to 3 s, estimate 1 to 8 times", new CallKind(1, 3, 1, 8, 0)),
        alike("calls of 1 to 60 s, estimate 32,000 each", new CallKind(1, 60, 0, 0, 32_000)));
  }

  private static TokenSetting alike(String title, CallKind kind) {
    return new TokenSetting(title, kind, kind, false);
  }

  List<TokenCall> calls(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<TokenCall> calls = new ArrayList<>();
    double meanUs = MINUTE_US / (batchFirst ? AFTER_BATCH_PER_MINUTE : CALLS_PER_MINUTE);
    double beginUs = batchFirst ? AFTER_BATCH_US : 0;
    for (double atUs = beginUs + pause(random, meanUs);
        atUs < LENGTH_US;
        atUs += pause(random, meanUs)) {
      calls.add(steady.call(random, atUs));
    }
    double burstUs = batchFirst ? 0 : pause(random, MINUTE_US);
    while (burstUs < LENGTH_US - BURST_US) {
      for (int i = 0; i < BURST; i++) {
        calls.add(burst.call(random, burstUs + random.nextDouble() * BURST_US));
      }
      burstUs = batchFirst ? LENGTH_US : burstUs + pause(random, MINUTE_US);
    }
    calls.sort(Comparator.comparingLong(TokenCall::timeUs));
    return calls;
  }

  private static double between(SplittableRandom random, double from, double to) {
    return from * StrictMath.pow(to / from, random.nextDouble());
  }

  private static double pause(SplittableRandom random, double meanUs) {
    return -StrictMath.log(1 - random.nextDouble()) * meanUs;
  }
}
