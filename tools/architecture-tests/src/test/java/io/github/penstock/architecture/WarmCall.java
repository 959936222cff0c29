package io.github.penstock.architecture;

import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.AsyncRateLimiters;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.TokenBucket;
import io.github.penstock.glide.GlideRateLimiters;
import io.github.penstock.jedis.JedisRateLimiters;
import io.github.penstock.lettuce.LettuceRateLimiters;
import io.github.penstock.redisson.RedissonRateLimiters;
import java.time.Duration;

/** The program that {@link CallPathTest} watches: makes one call, after others like it. */
final class WarmCall {
  private static final int EARLIER = 3;

  private WarmCall() {}

  /** Takes the client, whether the call is asynchronous, and the server's URI. */
  public static void main(String[] args) {
    RateLimiterOptions options =
        RateLimiterOptions.builder().deadline(Duration.ofMinutes(1)).build();
    try (RateLimiters limiters = connect(args[0], args[2], options)) {
      Limit limit = TokenBucket.of(100).refill(10, Duration.ofSeconds(1));
      Runnable call =
          Boolean.parseBoolean(args[1])
              ? asynchronous((AsyncRateLimiters) limiters, limit)
              : blocking(limiters, limit);
      limiters.awaitConnected(Duration.ofMinutes(1));
      for (int i = 0; i < EARLIER; i++) {
        call.run();
      }
      watched(call);
    }
  }

  private static void watched(Runnable call) {
    call.run();
  }

  private static Runnable blocking(RateLimiters limiters, Limit limit) {
    RateLimiter limiter = limiters.limiter("api", limit);
    return () -> limiter.tryAcquire("user:42");
  }

  private static Runnable asynchronous(AsyncRateLimiters limiters, Limit limit) {
    AsyncRateLimiter limiter = limiters.asyncLimiter("api", limit);
    return () -> limiter.tryAcquire("user:42").toCompletableFuture().join();
  }

  private static RateLimiters connect(String client, String uri, RateLimiterOptions options) {
    return switch (client) {
      case "Jedis" -> JedisRateLimiters.connect(uri, options);
      case "Lettuce" -> LettuceRateLimiters.connect(uri, options);
      case "Redisson" -> RedissonRateLimiters.connect(uri, options);
      default -> GlideRateLimiters.connect(uri, options);
    };
  }
}
