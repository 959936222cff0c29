package io.github.penstock.compat.reservation;

import io.github.penstock.compat.near.ServerRules;
import io.github.penstock.compat.script.SubjectKey;
import io.github.penstock.core.AcquiredUnits;
import io.github.penstock.core.LimiterCall;
import io.github.penstock.core.RateLimitListener;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.reserve.EntryLimit;
import io.github.penstock.core.reserve.ReservationEvent;
import io.github.penstock.testkit.resp.RespConnection;
import io.github.penstock.testkit.server.TestServer;
import io.github.penstock.testkit.topology.ServerEvents;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Rules about reservations, and their state on the server. */
abstract class HoldingRules extends ServerRules {
  static final String GROUP = "tenant:7";
  static final Duration DAY = Duration.ofDays(1);
  static final Limit MANY = FixedWindow.of(100, DAY);
  static final EntryLimit REQUESTS = EntryLimit.of("rpm", MANY);
  static final EntryLimit TOKENS = EntryLimit.of("tpm", MANY);
  static final EntryLimit PAGES = EntryLimit.of("pages", MANY);
  static final EntryLimit PLACES = EntryLimit.parse("in-flight", "concurrency:2");

  /** How many integers of a key come before those of its tiers. */
  static final int TIMES = 3;

  /** How many those of a window are. */
  static final int WINDOW = 3;

  static final RateLimiterOptions PATIENT =
      RateLimiterOptions.builder()
          .prefix(SubjectKey.PREFIX)
          .deadline(Duration.ofSeconds(30))
          .build();

  private static final String UNPACKED =
      "local s = redis.call('GET', KEYS[1]) return s and cmsgpack.unpack(s) or {}";
  private static final String TIME = "local t = redis.call('TIME') return t[1] * 1000000 + t[2]";

  /** The kinds of events that {@link #listener} got. */
  final List<ReservationEvent.Kind> heard = new CopyOnWriteArrayList<>();

  final RateLimitListener listener =
      new RateLimitListener() {
        @Override
        public void onDecision(
            LimiterCall call, AcquiredUnits acquired, @Nullable RuntimeException cause) {}

        @Override
        public void onReservation(ReservationEvent event) {
          heard.add(event.kind());
        }
      };

  /** The state under a reserved limit of {@link #MANY}. */
  final List<Long> stored(EntryLimit limit, String group) {
    return stored(server, key(limit, group));
  }

  static String key(EntryLimit limit, String group) {
    String marker = limit.rate() == null ? "rc" : "rw86400000000";
    String name = group.contains("}") ? group : group + "}";
    return SubjectKey.PREFIX + ":" + limit.policy() + ":{" + name + ":" + marker;
  }

  static List<Long> stored(TestServer server, String key) {
    try (RespConnection connection = server.connect()) {
      return ((List<?>) Objects.requireNonNull(connection.call("EVAL", UNPACKED, "1", key)))
          .stream().map(Long.class::cast).toList();
    }
  }

  final long used(EntryLimit limit, String group) {
    return stored(limit, group).get(TIMES);
  }

  final void awaitServerTime(long micros) {
    try (RespConnection connection = server.connect()) {
      ServerEvents.await("a time of the server")
          .until(() -> (Long) Objects.requireNonNull(connection.call("EVAL", TIME, "0")) >= micros);
    }
  }

  final String commandsUsed() {
    try (RespConnection connection = server.connect()) {
      return String.valueOf(connection.call("INFO", "commandstats"));
    }
  }

  final void flushScripts() {
    try (RespConnection connection = server.connect()) {
      connection.call("SCRIPT", "FLUSH");
    }
  }
}
