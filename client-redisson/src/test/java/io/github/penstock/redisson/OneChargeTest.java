package io.github.penstock.redisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.penstock.compat.server.EmbeddedServer;
import io.github.penstock.compat.server.ServerProcess;
import io.github.penstock.core.FixedWindow;
import io.github.penstock.core.MayHaveBeenChargedException;
import io.github.penstock.core.Outcome;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** A client as Redisson makes it, with its four retries, and replies that do not come in time. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OneChargeTest {
  private static final long DEADLINE_MILLIS = 500;
  private static final int CLIENT_MILLIS = 300;
  /* For a busy machine. */
  private static final long SLACK_MILLIS = 2_000;
  private static final FixedWindow LIMIT = FixedWindow.of(1_000, Duration.ofHours(1));
  private static ServerProcess server;
  private RateLimiterOptions options;
  private ReplyProxy proxy;
  private RedissonClient client;
  private RateLimiter api;
  private RateLimiter beside;
  private RedissonRateLimiters direct;

  @BeforeAll
  static void start() {
    server = new EmbeddedServer().start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void connect() throws IOException {
    options =
        RateLimiterOptions.defaults()
            .prefix(UUID.randomUUID().toString())
            .deadline(Duration.ofMillis(DEADLINE_MILLIS));
    proxy = new ReplyProxy(server);
    Config config = Served.config(proxy.address());
    config.useSingleServer().setTimeout(CLIENT_MILLIS);
    client = Redisson.create(config);
    api = RedissonRateLimiters.using(client, options).limiter("api", LIMIT);
    direct = RedissonRateLimiters.connect(Served.address(server), options);
    beside = direct.limiter("api", LIMIT);
    assertThat(api.tryAcquire("u").remaining()).isEqualTo(999);
  }

  @AfterEach
  void disconnect() throws IOException {
    client.shutdown();
    direct.close();
    proxy.close();
  }

  @ParameterizedTest
  @EnumSource(names = {"LATE", "LOST", "CUT"})
  @DisplayName("one call is charged once, and its caller hears in time that it may have been")
  void call(ReplyProxy.Replies replies) throws InterruptedException {
    proxy.set(replies);
    long start = System.nanoTime();
    assertThatThrownBy(() -> api.tryAcquire("u"))
        .isInstanceOf(MayHaveBeenChargedException.class)
        .hasMessageContaining("may have been charged");
    assertThat(millisSince(start)).isLessThan(DEADLINE_MILLIS + SLACK_MILLIS);
    recovers();
    assertThat(beside.peek("u").remaining()).isEqualTo(998);
  }

  @ParameterizedTest
  @EnumSource(names = {"LATE", "LOST", "CUT"})
  @DisplayName("so is every call of a batch")
  void batch(ReplyProxy.Replies replies) throws InterruptedException {
    proxy.set(replies);
    long start = System.nanoTime();
    List<Outcome> outcomes = api.tryAcquireAll(Collections.nCopies(100, "u"));
    assertThat(millisSince(start)).isLessThan(DEADLINE_MILLIS + SLACK_MILLIS);
    assertThat(outcomes).hasSize(100);
    for (Outcome outcome : outcomes) {
      assertThatThrownBy(outcome::decision).isInstanceOf(MayHaveBeenChargedException.class);
    }
    recovers();
    assertThat(beside.peek("u").remaining()).isEqualTo(899);
  }

  @Test
  @DisplayName(
      "the deadline holds, and not the client's own shorter time-out, after which it retries")
  void patient() throws InterruptedException {
    RateLimiter patient =
        RedissonRateLimiters.using(client, options.deadline(Duration.ofSeconds(4)))
            .limiter("api", LIMIT);
    proxy.set(ReplyProxy.Replies.LATE);
    assertThat(patient.tryAcquire("u").remaining()).isEqualTo(998);
    assertThat(patient.tryAcquireAll(Collections.nCopies(100, "u")))
        .extracting(outcome -> outcome.decision().remaining())
        .contains(997L, 898L);
    recovers();
    assertThat(beside.peek("u").remaining()).isEqualTo(898);
  }

  /* Redisson tries again after its time-out and a pause of at most 2 s. */
  private void recovers() throws InterruptedException {
    Thread.sleep(CLIENT_MILLIS + 2_000);
    proxy.set(ReplyProxy.Replies.PASS);
    await().atMost(Duration.ofSeconds(10)).until(() -> answers());
  }

  private boolean answers() {
    try {
      return api.tryAcquire("after").enforced();
    } catch (RuntimeException notYet) {
      return false;
    }
  }

  private static long millisSince(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
  }
}
