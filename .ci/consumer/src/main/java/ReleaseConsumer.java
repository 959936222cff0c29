import io.github.penstock.core.Decision;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.limit.TokenBucket;
import io.github.penstock.jedis.JedisRateLimiters;
import java.time.Duration;

/** The first lines that a user writes. */
class ReleaseConsumer {
  public static void main(String[] args) {
    RateLimiterOptions options = RateLimiterOptions.defaults();
    try (JedisRateLimiters limiters = JedisRateLimiters.connect(args[0], options)) {
      RateLimiter api = limiters.limiter("api", TokenBucket.of(100).refill(10, Duration.ofSeconds(1)));
      limiters.awaitConnected(Duration.ofSeconds(10));
      Decision decision = api.tryAcquire("user:42");
      System.out.println((decision.allowed() ? "allowed, " : "denied, ") + decision.remaining() + " remain");
    }
  }
}
