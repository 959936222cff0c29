package io.github.penstock.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.IntToDoubleFunction;

/** Logs whose right answer is known, because they were made for it: the same at each call. */
final class PlantedTraffic {
  private static final long BEGIN_MS = 1_790_000_040_000L;
  private final Random random = new Random(56);
  private final List<Event> events = new ArrayList<>();

  private record Event(long timeMs, String client, long units) {}

  /** One request after so many seconds. */
  PlantedTraffic ask(String client, double second, long units) {
    events.add(new Event(BEGIN_MS + Math.round(second * 1_000), client, units));
    return this;
  }

  /** Requests of a client, each at its own second. */
  PlantedTraffic ask(String client, int requests, IntToDoubleFunction second) {
    for (int i = 0; i < requests; i++) {
      ask(client, second.applyAsDouble(i), 1);
    }
    return this;
  }

  /** Clients that each ask so often at random within some seconds. */
  PlantedTraffic users(String prefix, int clients, int each, double seconds) {
    return users(prefix, clients, each, seconds, 0);
  }

  private PlantedTraffic users(String prefix, int clients, int each, double seconds, double from) {
    for (int client = 0; client < clients; client++) {
      ask(prefix + client, each, i -> from + random.nextDouble() * seconds);
    }
    return this;
  }

  double random() {
    return random.nextDouble();
  }

  /** Writes them as CSV, in the order of their times. */
  Path write(Path file) throws IOException {
    events.sort(Comparator.comparingLong(Event::timeMs));
    StringBuilder text = new StringBuilder("ts,client,units\n");
    events.forEach(
        each ->
            text.append(each.timeMs)
                .append(',')
                .append(each.client)
                .append(',')
                .append(each.units)
                .append('\n'));
    return Files.writeString(file, text);
  }

  static PlantedTraffic steady() {
    PlantedTraffic plan = new PlantedTraffic();
    for (int client = 0; client < 20; client++) {
      double shift = client * 0.25;
      plan.ask("c" + client, 200, i -> shift + 6 * i);
    }
    return plan;
  }

  static PlantedTraffic cron() {
    PlantedTraffic plan = new PlantedTraffic();
    for (int client = 0; client < 5; client++) {
      plan.ask("c" + client, 2_000, i -> i / 100 * 60 + i % 100 * 0.01);
    }
    return plan;
  }

  static PlantedTraffic abuser() {
    return new PlantedTraffic().users("u", 300, 50, 600).ask("abuser", 9_000, i -> i / 15.0);
  }

  static PlantedTraffic smallAbuser() {
    return new PlantedTraffic().users("u", 300, 50, 600).ask("abuser", 75, i -> 200 + i * 0.1);
  }

  static PlantedTraffic growth() {
    PlantedTraffic plan = new PlantedTraffic();
    for (int minute = 0; minute < 60; minute++) {
      double from = 60 * minute;
      for (int client = 0; client < 20; client++) {
        plan.ask("c" + client, 1 << minute / 10, i -> from + plan.random() * 60);
      }
    }
    return plan;
  }

  /** Each asks once a second, whatever the answer. */
  static PlantedTraffic retry() {
    PlantedTraffic plan = new PlantedTraffic();
    for (int client = 0; client < 20; client++) {
      for (int play = 0; play < 4; play++) {
        double from = 300 * play + client;
        plan.ask("c" + client, 299, i -> from + i);
      }
    }
    return plan;
  }

  static PlantedTraffic nat() {
    return new PlantedTraffic().users("u", 200, 50, 600).ask("nat", 10_000, i -> i * 0.06);
  }

  static PlantedTraffic once() {
    PlantedTraffic plan = new PlantedTraffic();
    for (int client = 0; client < 3_000; client++) {
      plan.ask("x" + client, plan.random() * 3_600, 1);
    }
    return plan;
  }

  static PlantedTraffic one() {
    return new PlantedTraffic().users("me", 1, 3_000, 1_800);
  }

  static PlantedTraffic costs() {
    PlantedTraffic plan = new PlantedTraffic();
    for (int i = 0; i < 10_000; i++) {
      plan.ask("c" + i % 40, plan.random() * 1_800, i % 100 == 0 ? 500 : 1);
    }
    return plan;
  }

  static PlantedTraffic pages() {
    PlantedTraffic plan = new PlantedTraffic();
    for (int browser = 0; browser < 50; browser++) {
      double shift = browser * 0.6;
      plan.ask("b" + browser, 300, i -> shift + i / 30 * 61 + plan.random());
    }
    return plan;
  }

  static PlantedTraffic second() {
    PlantedTraffic plan = new PlantedTraffic();
    for (int client = 0; client < 10; client++) {
      plan.ask("c" + client, 2_000, i -> i / 10);
    }
    return plan;
  }

  /** Many free users and few that pay, who ask for ten times as much. */
  static PlantedTraffic twoGroups() {
    return new PlantedTraffic().users("free", 475, 20, 600).users("paid", 25, 500, 600);
  }

  /** Ten tenants, one of which is noisy. */
  static PlantedTraffic noisyTenant() {
    return new PlantedTraffic().users("t", 11, 300, 600).users("noisy", 1, 12_000, 600);
  }

  /** Most call once; one calls all the time. */
  static PlantedTraffic crawler() {
    PlantedTraffic plan = new PlantedTraffic();
    for (int client = 0; client < 2_000; client++) {
      plan.ask("x" + client, plan.random() * 1_200, 1);
    }
    return plan.ask("crawler", 6_000, i -> i * 0.2);
  }

  /** One minute has ten times the usual traffic. */
  static PlantedTraffic peak() {
    PlantedTraffic plan = new PlantedTraffic().users("u", 100, 120, 3_600);
    for (int client = 0; client < 100; client++) {
      plan.ask("u" + client, 25, i -> 1_800 + plan.random() * 60);
    }
    return plan;
  }

  static PlantedTraffic sizes() {
    PlantedTraffic plan = new PlantedTraffic();
    for (int i = 0; i < 10_000; i++) {
      long units = 1 + Math.round(Math.exp(2 + 1.2 * plan.random.nextGaussian()));
      plan.ask("c" + i % 100, plan.random() * 1_800, units);
    }
    return plan;
  }

  /** One minute has three thousand new clients. */
  static PlantedTraffic crowd() {
    return new PlantedTraffic().users("u", 50, 120, 3_600).users("new", 3_000, 3, 60, 1_800);
  }

  /** One client does a day's work within two minutes. */
  static PlantedTraffic nightJob() {
    return new PlantedTraffic()
        .users("u", 40, 90, 10_800)
        .ask("batch", 3_000, i -> 3_600 + i / 25.0);
  }

  /** Three days, eight hours of each. */
  static PlantedTraffic office() {
    PlantedTraffic plan = new PlantedTraffic();
    for (int day = 0; day < 3; day++) {
      plan.users("e", 20, 100, 28_800, 86_400 * day);
    }
    return plan;
  }

  /** One request of 5,000 costs a thousand times as much. */
  static PlantedTraffic rareDear() {
    PlantedTraffic plan = new PlantedTraffic();
    for (int i = 0; i < 10_000; i++) {
      plan.ask("c" + i % 50, plan.random() * 1_200, i % 5_000 == 7 ? 10_000 : 1 + i % 5);
    }
    return plan;
  }

  /** More and more clients, which ask alike. */
  static PlantedTraffic moreClients() {
    PlantedTraffic plan = new PlantedTraffic();
    for (int minute = 0; minute < 60; minute++) {
      plan.users("c", 5 + 3 * minute, 4, 60, 60 * minute);
    }
    return plan;
  }

  static PlantedTraffic lateAbuser() {
    return new PlantedTraffic()
        .users("u", 200, 60, 1_800)
        .ask("late", 10_000, i -> 1_500 + i / 50.0);
  }

  /** A few subjects make most of the requests, and thousands the rest. */
  static PlantedTraffic heavyTail() {
    PlantedTraffic plan = new PlantedTraffic();
    for (int client = 0; client < 4_000; client++) {
      plan.users("z" + client + "-", 1, 1 + 4_000 / (client + 1), 1_800);
    }
    return plan;
  }

  static PlantedTraffic few() {
    return new PlantedTraffic().users("u", 3, 6, 300);
  }

  /** Each client asks twice as much as the one before it. */
  static PlantedTraffic longTail() {
    PlantedTraffic plan = new PlantedTraffic();
    for (int client = 0; client < 400; client++) {
      plan.users("c" + client + "-", 1, (int) (20 + 6_000.0 / (client + 3)), 1_200);
    }
    return plan;
  }
}
