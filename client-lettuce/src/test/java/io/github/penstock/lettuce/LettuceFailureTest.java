package io.github.penstock.lettuce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.core.MisconfiguredException;
import io.github.penstock.core.NoDecisionException;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.OverloadedException;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.testkit.resp.RespConnection;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import io.github.penstock.testkit.topology.ServerEvents;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.support.AsyncConnectionPoolSupport;
import io.lettuce.core.support.BoundedAsyncPool;
import io.lettuce.core.support.BoundedPoolConfig;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the application's own connections do that no other client's can. */
class LettuceFailureTest {
  private static final Limit LIMIT = FixedWindow.of(1_000_000, Duration.ofHours(1));
  private static final RateLimiterOptions ALLOWING =
      RateLimiterOptions.builder()
          .deadline(Duration.ofSeconds(60))
          .onUnavailable(OnUnavailable.ALLOW)
          .build();
  @AutoClose private final ServerProcess server = new EmbeddedServer().start();

  @AutoClose("shutdown")
  private final RedisClient client = RedisClient.create();

  @Test
  @DisplayName("a call within the application's MULTI is refused, and nothing joins its EXEC")
  void multi() {
    StatefulRedisConnection<String, String> connection = connect("redis://");
    try (LettuceRateLimiters limiters = LettuceRateLimiters.using(connection, ALLOWING)) {
      RateLimiter api = limiters.limiter("api", LIMIT);
      api.tryAcquire("u");
      connection.sync().multi();
      connection.async().set("key", "value");
      assertThatThrownBy(() -> api.tryAcquire("u"))
          .isInstanceOf(MisconfiguredException.class)
          .hasMessageContaining("MULTI");
      assertThat(connection.sync().exec().size()).isEqualTo(1);
      assertThat(api.tryAcquire("u").remaining()).isEqualTo(1_000_000 - 2);
    }
  }

  @Test
  @DisplayName(
      "a password that was changed is thrown, whoever has the connection; until it is right")
  void rotatedPassword() {
    admin("ACL", "SETUSER", "limiter", "on", ">right", "~*", "&*", "+@all");
    StatefulRedisConnection<String, String> connection = connect("redis://limiter:right@");
    try (LettuceRateLimiters direct = LettuceRateLimiters.using(connection, ALLOWING);
        LettuceRateLimiters supplied = LettuceRateLimiters.using(() -> connection, ALLOWING)) {
      RateLimiter first = direct.limiter("api", LIMIT);
      RateLimiter second = supplied.limiter("api", LIMIT);
      assertThat(first.tryAcquire("u").enforced()).isTrue();
      assertThat(second.tryAcquire("u").enforced()).isTrue();
      admin("ACL", "SETUSER", "limiter", "resetpass", ">other");
      admin("CLIENT", "KILL", "USER", "limiter");
      ServerEvents.await("the end of the connection").until(() -> !connection.isOpen());
      assertThatThrownBy(() -> first.tryAcquire("u"))
          .isInstanceOf(MisconfiguredException.class)
          .hasMessageContaining("WRONGPASS");
      assertThatThrownBy(() -> second.tryAcquire("u"))
          .isInstanceOf(MisconfiguredException.class)
          .hasMessageContaining("WRONGPASS");
      admin("ACL", "SETUSER", "limiter", ">right");
      ServerEvents.await("decisions")
          .ignoreExceptions()
          .until(() -> first.tryAcquire("u").enforced() && second.tryAcquire("u").enforced());
    }
  }

  @Test
  @DisplayName("a pool that is full while the server answers is an overload")
  void fullPool() {
    RateLimiterOptions quick = ALLOWING.toBuilder().deadline(Duration.ofSeconds(1)).build();
    BoundedAsyncPool<StatefulRedisConnection<String, String>> pool =
        AsyncConnectionPoolSupport.createBoundedObjectPool(
            () -> client.connectAsync(StringCodec.UTF8, uri("redis://")),
            BoundedPoolConfig.builder().maxTotal(1).maxIdle(1).build());
    try (LettuceRateLimiters limiters = LettuceRateLimiters.using(pool, quick)) {
      RateLimiter api = limiters.limiter("api", LIMIT);
      /* A machine that stalls for a deadline sees no recent answer. */
      ServerEvents.await("an overload")
          .ignoreExceptionsInstanceOf(NoDecisionException.class)
          .until(
              () -> {
                api.tryAcquire("u");
                StatefulRedisConnection<String, String> taken = pool.acquire().join();
                try {
                  api.peek("u");
                  return false;
                } catch (OverloadedException full) {
                  return true;
                } finally {
                  pool.release(taken);
                }
              });
    } finally {
      pool.close();
    }
  }

  private StatefulRedisConnection<String, String> connect(String before) {
    return client.connect(uri(before));
  }

  private RedisURI uri(String before) {
    return RedisURI.create(before + server.url().host() + ":" + server.url().port());
  }

  private void admin(String... command) {
    try (RespConnection connection = server.connect()) {
      connection.call(command);
    }
  }
}
