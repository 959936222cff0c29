package io.github.penstock.benchmarks.compare;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A built-in traffic: always the same requests, and limits that show what it is about. */
enum Scenario {
  EDGE(
      "A burst on each side of a window's edge",
      "2,000 requests of one client: 980 at the end of the first window, 900 at the beginning of the next.",
      "1000/3s") {
    @Override
    Source source() {
      return perSecond(10, 10, 980, 900, 100, 0);
    }
  },
  BURST(
      "Everything in the first second",
      "1,000 requests of one client within a second, exactly the limit.",
      "1000/3s") {
    @Override
    Source source() {
      return perSecond(1000, 0, 0);
    }
  },
  STEADY(
      "Steady, at nine tenths of the limit",
      "One client asks 9 times a second on average, at random moments, for two minutes.",
      "100/10s") {
    @Override
    Source source() {
      return new Crowd(1, BEGIN_US + 120 * SECOND_US).with(CLIENT, 9, BEGIN_US);
    }
  },
  EDGES(
      "Bursts at every window's edge",
      "One client knows when windows end and asks 100 times in the second before and 100 times in the second after,"
          + " every 20 seconds.",
      "100/10s") {
    @Override
    Source source() {
      return perSecond(
          Stream.iterate(0, second -> second < 80, second -> second + 1)
              .map(second -> edges(second % 20))
              .toList());
    }

    private int edges(int second) {
      return switch (second) {
        case 0 -> 1;
        case 9 -> 99;
        case 10 -> 100;
        default -> 0;
      };
    }
  },
  ON_OFF(
      "On for 5 seconds, off for 10",
      "One client asks 40 times a second for 5 seconds, then rests for 10, eight times.",
      "100/10s") {
    @Override
    Source source() {
      return perSecond(
          IntStream.range(0, 120).mapToObj(second -> second % 15 < 5 ? 40 : 0).toList());
    }
  },
  OVERLOAD(
      "A slow overload",
      "One client asks for more and more: from half of the limit to twice the limit in three minutes.",
      "100/10s") {
    @Override
    Source source() {
      return perSecond(IntStream.range(0, 180).mapToObj(second -> 5 + second * 15 / 179).toList());
    }
  },
  NEIGHBOUR(
      "One noisy neighbour among 1,000",
      "999 clients ask 9 times in a minute on average, one asks 50 times a second. Each has a limit of its own.",
      "10/10s") {
    @Override
    Source source() {
      Crowd crowd = new Crowd(7, BEGIN_US + 60 * SECOND_US).with("noisy", 50, BEGIN_US);
      IntStream.range(1, 1_000)
          .forEach(i -> crowd.with(String.format(Locale.ROOT, "client-%03d", i), 0.15, BEGIN_US));
      return crowd;
    }
  },
  RETRY(
      "A retry storm",
      "300 clients share one limit and ask at once; who is denied comes back after exactly the wait that it was told.",
      "100/10s") {
    @Override
    Source source() {
      return new RetryStorm("tenant", BEGIN_US, 300);
    }

    @Override
    boolean reacts() {
      return true;
    }
  };

  static final long BEGIN_US = 1_763_712_000_000_000L;
  private static final long SECOND_US = 1_000_000;
  private static final String CLIENT = "client";
  private final String title;
  private final String description;
  private final String rate;

  Scenario(String title, String description, String rate) {
    this.title = title;
    this.description = description;
    this.rate = rate;
  }

  /** What the command line calls it. */
  String option() {
    return this == ON_OFF
        ? "on-off"
        : this == RETRY ? "retry-storm" : name().toLowerCase(Locale.ROOT);
  }

  /** The scenario that the command line calls so. */
  static Scenario named(String option) {
    return Arrays.stream(values())
        .filter(scenario -> scenario.option().equalsIgnoreCase(option))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "'" + option + "' must be one of " + String.join(", ", options())));
  }

  /** What the command line calls them all. */
  static List<String> options() {
    return Arrays.stream(values()).map(Scenario::option).toList();
  }

  String title() {
    return title;
  }

  String description() {
    return description;
  }

  /** The three algorithms at the rate that this traffic was made for. */
  List<Candidate> candidates() {
    return Stream.of("fixed-window", "leaky-bucket", "token-bucket")
        .map(algorithm -> Candidate.of(algorithm + ":" + rate))
        .toList();
  }

  /** The requests, from the beginning. */
  abstract Source source();

  /** Whether what is asked depends on what was answered. */
  boolean reacts() {
    return false;
  }

  /** Whether everything happens within seconds, so that each can be shown. */
  boolean isShort() {
    return seconds() > 0;
  }

  /** How many seconds a short traffic lasts; 0 for the others. */
  int seconds() {
    return this == EDGE ? 6 : this == BURST ? 3 : 0;
  }

  private static Source perSecond(Integer... requests) {
    return perSecond(List.of(requests));
  }

  private static Source perSecond(List<Integer> requests) {
    return new PerSecond(CLIENT, BEGIN_US, Collections.unmodifiableList(requests));
  }
}
