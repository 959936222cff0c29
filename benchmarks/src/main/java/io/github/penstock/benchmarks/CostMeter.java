package io.github.penstock.benchmarks;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.Response;

/**
 * Measures what a script's call takes on the server: the time that the server itself counts for
 * EVALSHA (INFO commandstats), calls over many keys, {@value #AT_ONCE} sent at once. So few take so
 * little time that nothing disturbs the best of many.
 *
 * <p>The counters are read before and after and never reset, so a server that others use is left as
 * it was; calls of others are noticed, because the count is then too high. The keys are random
 * names that nobody has, and are removed. Not safe for use by several threads.
 */
public final class CostMeter implements AutoCloseable {
  static final int AT_ONCE = 200;
  private static final int ATTEMPTS = 3;
  private static final Pattern EVALSHA =
      Pattern.compile("cmdstat_evalsha:calls=(\\d+),usec=(\\d+)");
  private final RedisClient client;
  private final String[] keys;

  private CostMeter(RedisClient client, String[] keys) {
    this.client = client;
    this.keys = keys;
  }

  /** On so many keys {@code <prefix>:<five digits>}, of which there must be none yet. */
  public static CostMeter under(String prefix, RedisClient client, int numberOfKeys) {
    return new CostMeter(client, keys(prefix, numberOfKeys));
  }

  /** On so many keys of 12 bytes that do not exist. */
  public static CostMeter onShortKeys(RedisClient client, int numberOfKeys) {
    SecureRandom random = new SecureRandom();
    while (true) {
      String prefix = String.format(Locale.ROOT, "p%05x", random.nextInt(0x100000));
      String[] keys = keys(prefix, numberOfKeys);
      if (client.exists(keys) == 0) {
        return new CostMeter(client, keys);
      }
    }
  }

  /** How many bytes a key's name has. */
  public int bytesOfName() {
    return keys[0].length();
  }

  /**
   * Microseconds per call on the server: the best {@value #AT_ONCE} of at least {@code calls}
   * calls, which go over all keys. A pass before them, which makes the keys, does not count.
   */
  public double measure(CostCase what, int calls) {
    prepare(what);
    String sha1 = callAll(what);
    double best = Double.POSITIVE_INFINITY;
    for (int made = 0; made < calls; made += keys.length) {
      for (int from = 0; from < keys.length; from += AT_ONCE) {
        best = Math.min(best, measureSome(what, sha1, from));
      }
    }
    return best;
  }

  private double measureSome(CostCase what, String sha1, int from) {
    for (int attempt = 1; ; attempt++) {
      Count before = count();
      int made = callSome(what, sha1, from);
      Count after = count();
      if (after.calls - before.calls == made) {
        return (double) (after.micros - before.micros) / made;
      }
      if (attempt == ATTEMPTS) {
        throw new Complaint(
            "somebody else runs scripts on this server at the same time, so the server's counters do not tell what"
                + " ours cost: measure on a server of your own, or leave --redis out.");
      }
    }
  }

  /** The best of several measurements. */
  public double best(CostCase what, int calls, int rounds) {
    return IntStream.range(0, rounds)
        .mapToDouble(round -> measure(what, calls))
        .min()
        .orElseThrow();
  }

  /** MEMORY USAGE, in bytes, of a key after the case's first call. */
  public long bytesPerKey(CostCase what) {
    prepare(what);
    callAll(what);
    Long bytes = client.memoryUsage(keys[0]);
    return bytes == null ? 0 : bytes;
  }

  /** Removes the keys. */
  @Override
  public void close() {
    client.unlink(keys);
  }

  private void prepare(CostCase what) {
    client.unlink(keys);
    if (what.before() != null) {
      callAll(what.before());
    }
  }

  private String callAll(CostCase what) {
    String sha1 = client.scriptLoad(what.source());
    for (int from = 0; from < keys.length; from += AT_ONCE) {
      callSome(what, sha1, from);
    }
    return sha1;
  }

  private int callSome(CostCase what, String sha1, int from) {
    CleanStop.check();
    int to = Math.min(from + AT_ONCE, keys.length);
    List<Response<Object>> replies = new ArrayList<>(to - from);
    try (Pipeline pipeline = client.pipelined()) {
      for (int i = from; i < to; i++) {
        replies.add(pipeline.evalsha(sha1, List.of(keys[i]), what.arguments()));
      }
      pipeline.sync();
    }
    long expected = what.allowed() ? 1 : 0;
    for (Response<Object> reply : replies) {
      if (!(reply.get() instanceof List<?> six) || !six.get(0).equals(expected)) {
        throw new IllegalStateException(
            what.name() + ", " + what.what() + ": unexpected reply " + reply.get());
      }
    }
    return to - from;
  }

  private Count count() {
    Matcher evalsha = EVALSHA.matcher(client.info("commandstats"));
    return evalsha.find()
        ? new Count(Long.parseLong(evalsha.group(1)), Long.parseLong(evalsha.group(2)))
        : new Count(0, 0);
  }

  private static String[] keys(String prefix, int numberOfKeys) {
    return IntStream.range(0, numberOfKeys)
        .mapToObj(i -> String.format(Locale.ROOT, "%s:%05d", prefix, i))
        .toArray(String[]::new);
  }

  private record Count(long calls, long micros) {}
}
