/**
 * Rate limiting on Redis and Valkey: limits, limiters and decisions, independent of any client.
 *
 * <p>An application obtains a {@link io.github.penstock.core.RateLimiters} from the adapter of its
 * client and creates {@link io.github.penstock.core.RateLimiter}s with it, here on Jedis:
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
