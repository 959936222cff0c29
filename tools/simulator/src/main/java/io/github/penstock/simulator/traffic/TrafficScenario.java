package io.github.penstock.simulator.traffic;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A built-in scenario: always the same requests, and limits that show its purpose. */
public enum TrafficScenario {
  EDGE(
      "A burst on each side of a window's edge",
      "2,000 requests of one client: 980 at the end of the first window, 900 at the beginning of"
          + " the next.",
      "1000/3s",
      () -> perSecond(10, 10, 980, 900, 100, 0)),
  BURST(
      "Everything in the first second",
      "1,000 requests of one client within a second, exactly the limit.",
      "1000/3s",
      () -> perSecond(1000, 0, 0)),
  STEADY(
      "Steady, at nine tenths of the limit",
      "One client asks 9 times a second on average, at random moments, for two minutes.",
      "100/10s",
      () -> poisson(1, 120).with("client", 9, TrafficScenario.BEGIN_US)),
  EDGES(
      "Bursts at every window's edge",
      "One client knows when windows end and asks 100 times in the second before and 100 times in"
          + " the second after, every 20 seconds.",
      "100/10s",
      () ->
          perSecond(
              80,
              second ->
                  switch (second % 20) {
                    case 0 -> 1;
                    case 9 -> 99;
                    case 10 -> 100;
                    default -> 0;
                  })),
  ON_OFF(
      "On for 5 seconds, off for 10",
      "One client asks 40 times a second for 5 seconds, then rests for 10, eight times.",
      "100/10s",
      () -> perSecond(120, second -> second % 15 < 5 ? 40 : 0)),
  OVERLOAD(
      "A slow overload",
      "One client asks for more and more: from half of the limit to twice the limit in three"
          + " minutes.",
      "100/10s",
      () -> perSecond(180, second -> 5 + second * 15 / 179)),
  NEIGHBOUR(
      "One noisy neighbour among 1,000",
      "999 clients ask 9 times in a minute on average, one asks 50 times a second. Each has a limit"
          + " of its own.",
      "10/10s",
      TrafficScenario::neighbours),
  BUSY(
      "One client that asks a thousand times a second",
      "One client asks more and more often: from half of the limit to one and a half times the limit"
          + " in 12 seconds.",
      "1000/1s",
      () -> perSecond(12, second -> 500 + second * 1_000 / 11)),
  RETRY(
      "A retry storm",
      "300 clients share one limit and ask at once; a denied client comes back after exactly the wait"
          + " that it was told.",
      "100/10s",
      () -> new RetryStorm("tenant", TrafficScenario.BEGIN_US, 300));

  public static final long BEGIN_US = 1_763_712_000_000_000L;
  private static final long SECOND_US = 1_000_000;
  private final String title;
  private final String description;
  private final String rate;
  private final Supplier<RequestSource> source;

  TrafficScenario(String title, String description, String rate, Supplier<RequestSource> source) {
    this.title = title;
    this.description = description;
    this.rate = rate;
    this.source = source;
  }

  /** The scenario of this name. Throws an IllegalArgumentException that names them all. */
  public static TrafficScenario named(String name) {
    return Arrays.stream(values())
        .filter(scenario -> scenario.toString().equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "'" + name + "' must be one of " + Arrays.toString(values())));
  }

  @Override
  public String toString() {
    return this == RETRY ? "retry-storm" : name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public String title() {
    return title;
  }

  public String description() {
    return description;
  }

  /** Each algorithm at the rate that this traffic was made for. */
  public List<LimitCandidate> candidates() {
    return LimitCandidate.ofEachAlgorithm(rate);
  }

  /** The requests, from the beginning. */
  public RequestSource source() {
    return source.get();
  }

  /** Returns whether later requests depend on earlier answers. */
  public boolean reacts() {
    return this == RETRY;
  }

  private static RequestSource perSecond(int... requests) {
    return perSecond(requests.length, second -> requests[second]);
  }

  /*
   * This number of requests of one client in each second, spread evenly; the first comes at once.
   */
  static RequestSource perSecond(int seconds, IntUnaryOperator requests) {
    Iterator<Long> timesUs =
        IntStream.range(0, seconds)
            .boxed()
            .flatMap(second -> evenly(second * SECOND_US, requests.applyAsInt(second)))
            .iterator();
    return () ->
        timesUs.hasNext() ? new TrafficRequest(BEGIN_US + timesUs.next(), "client", 1) : null;
  }

  private static Stream<Long> evenly(long fromUs, int requests) {
    return IntStream.range(0, requests).mapToObj(i -> fromUs + i * SECOND_US / requests);
  }

  private static PoissonTraffic poisson(long seed, int seconds) {
    return new PoissonTraffic(seed, BEGIN_US + seconds * SECOND_US);
  }

  private static RequestSource neighbours() {
    PoissonTraffic crowd = poisson(7, 60).with("noisy", 50, BEGIN_US);
    IntStream.range(1, 1_000)
        .forEach(i -> crowd.with(String.format(Locale.ROOT, "client-%03d", i), 0.15, BEGIN_US));
    return crowd;
  }
}
