package io.github.penstock.lettuce;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.Decision;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.testkit.resp.RespConnection;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import io.github.penstock.testkit.topology.ClusterDeployment;
import io.github.penstock.testkit.topology.ServerEvents;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The connection that the application has now, and one that is not available. */
class LettuceConnectionTest {
  private static final Limit LIMIT = FixedWindow.of(1_000_000, Duration.ofHours(1));
  private final RateLimiterOptions options =
      RateLimiterOptions.builder().deadline(Duration.ofSeconds(60)).build();
  private final AtomicInteger asked = new AtomicInteger();
  @AutoClose private final ServerProcess server = new EmbeddedServer().start();

  @Test
  @DisplayName("a supplier is asked once, and again when the connection was closed and replaced")
  void replaced() throws Exception {
    RedisClient client = RedisClient.create(server.url().toString());
    AtomicReference<StatefulRedisConnection<String, String>> current = new AtomicReference<>();
    try (LettuceRateLimiters limiters =
        LettuceRateLimiters.using(
            () -> {
              asked.incrementAndGet();
              return current.get();
            },
            options)) {
      AsyncRateLimiter api = limiters.asyncLimiter("api", LIMIT);
      CompletableFuture<Decision> before = api.tryAcquire("u").toCompletableFuture();
      assertThat(before).as("a call before there is a connection").isNotDone();
      current.set(client.connect());
      assertThat(before.get().enforced()).isTrue();
      int first = asked.get();
      RateLimiter blocking = limiters.limiter("api", LIMIT);
      for (int i = 0; i < 100; i++) {
        assertThat(blocking.tryAcquire("u").enforced()).isTrue();
      }
      assertThat(asked).hasValue(first);
      current.get().close();
      current.set(client.connect());
      assertThat(blocking.tryAcquire("u").remaining()).isEqualTo(1_000_000 - 102);
    }
    assertThat(current.get().isOpen()).isTrue();
    client.shutdown(0, 1, TimeUnit.SECONDS);
  }

  @Test
  @DisplayName("closing ends, stops the threads and says so, though a connection never closes")
  void closingNever() {
    NettyCustomizer neverCloses =
        new NettyCustomizer() {
          @Override
          public void afterChannelInitialized(Channel channel) {
            channel
                .pipeline()
                .addFirst(
                    new ChannelOutboundHandlerAdapter() {
                      @Override
                      public void close(ChannelHandlerContext context, ChannelPromise promise) {}
                    });
          }
        };
    ClientResources resources = ClientResources.builder().nettyCustomizer(neverCloses).build();
    RedisClient client = RedisClient.create(resources, server.url().toString());
    client.connect();
    List<String> warnings =
        logged("io.github.penstock", () -> BoundedClients.close(List.of(client)));
    assertThat(warnings).singleElement().asString().startsWith("A client is not closed after");
    assertThat(resources.eventExecutorGroup().isShuttingDown()).isTrue();
  }

  @Test
  @DisplayName("limiters that are closed while they connect leave no connection behind")
  void closedWhileConnecting() throws InterruptedException {
    for (int i = 0; i < 30; i++) {
      LettuceRateLimiters limiters = LettuceRateLimiters.connect(server.url().toString(), options);
      limiters.asyncLimiter("api", LIMIT).tryAcquire("u");
      TimeUnit.MILLISECONDS.sleep(i % 6);
      limiters.close();
    }
    try (RespConnection own = server.connect()) {
      ServerEvents.await("the end of all connections")
          .untilAsserted(
              () -> assertThat((String) own.call("CLIENT", "LIST")).containsOnlyOnce(" addr="));
    }
  }

  @Test
  @DisplayName("from the first call to the end, Lettuce logs nothing")
  void quietly() {
    List<String> lines =
        logged(
            "io.lettuce",
            () -> {
              try (LettuceRateLimiters limiters =
                      LettuceRateLimiters.connect(server.url().toString(), options);
                  RespConnection own = server.connect()) {
                RateLimiter limiter = limiters.limiter("api", LIMIT);
                ServerEvents.await("the connection for the check")
                    .until(
                        () -> {
                          limiter.tryAcquire("u");
                          return ((String) own.call("CLIENT", "LIST")).lines().count() == 3;
                        });
              }
            });
    assertThat(lines).isEmpty();
  }

  @Test
  @DisplayName("a supplier may give a connection to a cluster")
  void cluster() {
    try (ClusterDeployment cluster =
        ClusterDeployment.start(new EmbeddedServer().executable(), 1)) {
      RedisClusterClient client =
          RedisClusterClient.create(cluster.masters().get(0).url().toString());
      try (StatefulRedisClusterConnection<String, String> connection = client.connect();
          LettuceRateLimiters limiters = LettuceRateLimiters.using(() -> connection, options)) {
        assertThat(limiters.limiter("api", LIMIT).tryAcquire("u").enforced()).isTrue();
      } finally {
        client.shutdown(0, 1, TimeUnit.SECONDS);
      }
    }
  }

  private static List<String> logged(String of, Runnable action) {
    List<String> lines = new CopyOnWriteArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord record) {
            lines.add(record.getMessage());
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger(of);
    logger.addHandler(handler);
    try {
      action.run();
    } finally {
      logger.removeHandler(handler);
    }
    return lines;
  }
}
