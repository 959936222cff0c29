package io.github.penstock.operations.capacity;

import io.github.penstock.core.internal.protocol.LimitEncoding;
import io.github.penstock.report.console.OrderlyStop;
import io.github.penstock.report.console.UserErrorException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.RedisClient;

/**
 * The measurements of a server after every subject was charged one unit under every limit, by the
 * scripts.
 *
 * @param bytes {@code used_memory} of the filled server, less that of the empty one
 * @param micros µs of its threads for a call, all calls sent in batches
 */
public record FilledServer(long bytes, double micros) {
  /** The fewest characters of a subject, which are its number. */
  public static final int DIGITS = 8;

  private static final int AT_ONCE = 1_000;
  private static final long STILL_BYTES = 4_096;
  private static final int MOST_WAITS = 120;

  /**
   * Fills an empty server.
   *
   * @param client a client of a server with no other users
   * @param limits with keys of a subject of at least {@value #DIGITS} characters
   * @param subjects fewer than 10^{@value #DIGITS}
   * @param progress accepts the number of subjects so far
   * @throws UserErrorException if keys expired before all were there
   */
  public static FilledServer fill(
      RedisClient client, List<LimitFootprint> limits, long subjects, LongConsumer progress) {
    for (LimitFootprint each : limits) {
      client.scriptLoad(LimitEncoding.of(each.limit()).script().source());
    }
    long empty = used(client);
    double before = processor(client);
    // One time for all calls, and a key outlives it by a minute.
    String now = client.eval("return redis.call('TIME')[1]") + "000000";
    for (long from = 0; from < subjects; from += AT_ONCE) {
      OrderlyStop.check();
      progress.accept(from);
      charge(client, limits, from, Math.min(subjects, from + AT_ONCE), now);
    }
    double micros = (processor(client) - before) * 1_000_000 / (subjects * limits.size());
    if (client.dbSize() < subjects * limits.size()) {
      throw new UserErrorException(
          "keys expired before all subjects were written: give fewer --subjects to --check.");
    }
    return new FilledServer(atRest(client) - empty, micros);
  }

  private static void charge(
      RedisClient client, List<LimitFootprint> limits, long from, long end, String now) {
    try (Pipeline pipeline = client.pipelined()) {
      for (LimitFootprint each : limits) {
        LimitEncoding encoding = LimitEncoding.of(each.limit());
        for (long number = from; number < end; number++) {
          List<String> words = new ArrayList<>();
          words.add(encoding.script().sha1());
          words.add("1");
          words.add(key(each, number));
          words.add("1");
          words.addAll(encoding.arguments());
          words.add(now);
          pipeline.sendCommand(Protocol.Command.EVALSHA, words.toArray(String[]::new));
        }
      }
      for (Object answer : pipeline.syncAndReturnAll()) {
        if (answer instanceof RuntimeException failure) {
          throw failure;
        }
      }
    }
  }

  /* The number takes the place of the subject's last characters. */
  private static String key(LimitFootprint footprint, long number) {
    String key = footprint.key();
    int end = key.lastIndexOf('}');
    String digits = String.format(Locale.ROOT, "%0" + DIGITS + "d", number);
    return key.substring(0, end - DIGITS) + digits + key.substring(end);
  }

  /* Keys are moved into the last tables a few at a time. */
  private static long atRest(RedisClient client) {
    long last = used(client);
    for (int wait = 0; wait < MOST_WAITS; wait++) {
      OrderlyStop.check();
      try {
        TimeUnit.MILLISECONDS.sleep(500);
      } catch (InterruptedException stop) {
        Thread.currentThread().interrupt();
        return last;
      }
      long next = used(client);
      if (Math.abs(next - last) <= STILL_BYTES) {
        return next;
      }
      last = next;
    }
    return last;
  }

  private static long used(RedisClient client) {
    return (long) number(client.info("memory"), "used_memory");
  }

  private static double processor(RedisClient client) {
    String info = client.info("cpu");
    return number(info, "used_cpu_user") + number(info, "used_cpu_sys");
  }

  private static double number(String info, String name) {
    Matcher line = Pattern.compile("(?m)^" + name + ":([0-9.]+)").matcher(info);
    return line.find() ? Double.parseDouble(line.group(1)) : 0;
  }
}
