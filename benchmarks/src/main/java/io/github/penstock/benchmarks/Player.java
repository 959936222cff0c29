package io.github.penstock.benchmarks;

import io.github.penstock.core.FixedWindow;
import io.github.penstock.core.LeakyBucket;
import io.github.penstock.core.Limit;
import io.github.penstock.core.TokenBucket;
import io.github.penstock.core.spi.ScriptRunner;
import io.github.penstock.jedis.JedisRateLimiters;
import io.github.penstock.scripts.LuaScript;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import redis.clients.jedis.RedisClient;

/**
 * Plays traffic through the shipped scripts, one call per request, with the time given: the scripts
 * believe that the traffic happens, and nobody waits. Not safe for use by several threads.
 */
final class Player implements AutoCloseable {
  static final int LIMIT = 1_000;
  static final Duration WINDOW = Duration.ofSeconds(3);
  static final long WINDOW_US = 3_000_000;
  private static final long BEGINNING_US = 1_763_712_000_000_000L;
  private final JedisRateLimiters limiters;
  private final ScriptRunner scripts;
  private final String prefix;

  /** Plays on keys that begin with {@code prefix}. */
  Player(RedisClient client, String prefix) {
    this.limiters = JedisRateLimiters.using(client);
    this.scripts = limiters.scripts();
    this.prefix = prefix;
  }

  /** What the script lets through under the limit of 1000 per 3 seconds. */
  Passage play(Scenario scenario, LuaScript script) {
    Limit limit = limit(script);
    String key = key(scenario, script, limit);
    List<Long> ahead = new ArrayList<>();
    long longestDelay = 0;
    long[] arrivals = scenario.traffic().arrivalsUs();
    for (long arrival : arrivals) {
      CleanStop.check();
      List<Long> reply = scripts.run(script, key, arguments(limit, BEGINNING_US + arrival));
      if (reply.get(0) == 1) {
        long delay = reply.get(3);
        longestDelay = Math.max(longestDelay, delay);
        ahead.add(arrival + delay);
      }
    }
    long[] times = ahead.stream().mapToLong(Long::longValue).toArray();
    return new Passage(times, arrivals.length - times.length, longestDelay);
  }

  @Override
  public void close() {
    limiters.close();
  }

  /** Two buckets of the same numbers would share their state: the script's name is in the key. */
  private String key(Scenario scenario, LuaScript script, Limit limit) {
    String subject = scenario.name().toLowerCase(Locale.ROOT);
    return prefix + ":" + script.scriptName() + ":{" + subject + "}:" + limit.marker();
  }

  private static List<String> arguments(Limit limit, long nowUs) {
    List<String> arguments = new ArrayList<>(List.of("1"));
    arguments.addAll(limit.arguments());
    arguments.add(Long.toString(nowUs));
    return arguments;
  }

  private static Limit limit(LuaScript script) {
    return switch (script) {
      case FIXED_WINDOW -> FixedWindow.of(LIMIT, WINDOW);
      case TOKEN_BUCKET -> TokenBucket.of(LIMIT).refill(LIMIT, WINDOW);
      case LEAKY_BUCKET -> LeakyBucket.of(LIMIT).leak(LIMIT, WINDOW);
    };
  }
}
