package io.github.penstock.compat.near;

import io.github.penstock.compat.plain.PlainRateLimiters;
import io.github.penstock.compat.script.SubjectKey;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.TokenBucket;
import io.github.penstock.testkit.server.ServerProcess;
import java.time.Duration;
import java.util.function.BiConsumer;

/** Events on a server that a client does not see, after which its units are there again. */
enum OutsideChange {
  /** Another client refunds. */
  REFUND(OutsideChange::refund),

  /** Somebody deletes the key. */
  DELETED_KEY((server, key) -> server.call("DEL", key)),

  /** Somebody deletes everything. */
  FLUSHALL((server, key) -> server.call("FLUSHALL")),

  /** The server loses everything, and its connections. */
  RESTART((server, key) -> server.restart()),

  /** The server's clock steps forward by 10 s: the stored state is 10 s older. */
  CLOCK_FORWARD((server, key) -> shift(server, key, -OutsideChange.STEP_US)),

  /** The server's clock steps back by 10 s. */
  CLOCK_BACK((server, key) -> shift(server, key, OutsideChange.STEP_US));

  /** One unit, and another after 10 s. */
  static final Limit LIMIT = TokenBucket.of(1).refill(1, Duration.ofSeconds(10));

  private static final long STEP_US = 10_000_000;

  private final BiConsumer<ServerProcess, String> change;

  OutsideChange(BiConsumer<ServerProcess, String> change) {
    this.change = change;
  }

  void happen(ServerProcess server) {
    change.accept(server, SubjectKey.of(NearRules.POLICY, NearRules.SUBJECT, LIMIT));
  }

  private static void refund(ServerProcess server, String key) {
    try (RateLimiters other = PlainRateLimiters.connect(server.url(), NearRules.PATIENT)) {
      other.limiter(NearRules.POLICY, LIMIT).refund(NearRules.SUBJECT, 1);
    }
  }

  /* A bucket's state is the time at which it is full, in microseconds and perhaps a fraction. */
  private static void shift(ServerProcess server, String key, long us) {
    String[] state = String.valueOf(server.call("GET", key)).split("\\+", 2);
    String shifted = Long.toString(Long.parseLong(state[0]) + us);
    server.call("SET", key, state.length == 1 ? shifted : shifted + "+" + state[1], "PX", "60000");
  }
}
