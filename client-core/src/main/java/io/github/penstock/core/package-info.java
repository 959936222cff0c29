/**
 * Limits, limiters and decisions for rate limiting on Redis and Valkey, independent of any Redis
 * client.
 *
 * <p>An application obtains a {@link io.github.penstock.core.RateLimiters} from the adapter of its
 * Redis client and uses it to create {@link io.github.penstock.core.RateLimiter}s. The following
 * example uses Jedis:
 *
 * <pre>{@code
 * RateLimiterOptions options = RateLimiterOptions.defaults();
 * RateLimiters limiters = JedisRateLimiters.connect("redis://localhost:6379", options);
 * RateLimiter api = limiters.limiter("api", TokenBucket.of(100).refill(10, Duration.ofSeconds(1)));
 * Decision decision = api.tryAcquire("user:42");
 * if (!decision.allowed()) {
 *   refuse(429);
 * }
 * }</pre>
 */
@NullMarked
package io.github.penstock.core;

import org.jspecify.annotations.NullMarked;
