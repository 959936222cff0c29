package io.github.penstock.benchmarks.server;

import io.github.penstock.benchmarks.plan.ReservationCase;
import io.github.penstock.report.console.OrderlyStop;
import io.github.penstock.scripts.LuaScript;
import io.github.penstock.scripts.ReservationScript;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.Response;

/**
 * Measures the server's cost of calls under several limits, like {@link ScriptCostMeter}: by the
 * server's count, {@value ScriptCostMeter#AT_ONCE} calls at once, the cases interleaved, the best
 * iteration of each. Units held in one case are settled in the next. Closing it removes the keys.
 * Not safe for use by several threads.
 */
public final class ReservationCostMeter implements AutoCloseable {
  private static final int KEYS_AT_ONCE = 10_000;
  private final RedisClient client;
  private final String prefix;
  private final SplittableRandom random = new SplittableRandom(1);
  private final Set<String> names = new HashSet<>();
  private int receipts;

  /** On keys that begin with a prefix, of which there must be none. */
  public ReservationCostMeter(RedisClient client, String prefix) {
    this.client = client;
    this.prefix = prefix;
  }

  /**
   * Microseconds of each call.
   *
   * @param subjects how many each case has
   */
  public Map<ReservationCase, Double> measure(int subjects, int iterations) {
    for (LuaScript script : LuaScript.values()) {
      client.scriptLoad(script.source());
    }
    for (ReservationScript script : ReservationScript.values()) {
      client.scriptLoad(script.source());
    }
    Map<ReservationCase, Double> best = new EnumMap<>(ReservationCase.class);
    for (int i = 0; i < iterations; i++) {
      OrderlyStop.check();
      List<Called> held = List.of();
      for (ReservationCase each : ReservationCase.values()) {
        List<Called> calls = each == ReservationCase.SETTLED ? held : calls(each, subjects);
        best.merge(each, micros(each, calls), Math::min);
        held = calls;
      }
    }
    return best;
  }

  private record Called(String subject, String receipt) {}

  private List<Called> calls(ReservationCase of, int subjects) {
    List<Called> calls = new ArrayList<>();
    for (int i = 0; i < ScriptCostMeter.AT_ONCE; i++) {
      calls.add(new Called(subject(of, random.nextInt(subjects)), prefix + ":" + receipts++));
    }
    return calls;
  }

  private String subject(ReservationCase of, int number) {
    return prefix + ":" + of.subjects().name() + ":" + number;
  }

  private double micros(ReservationCase of, List<Called> calls) {
    ServerStats before = ServerStats.ofCommands(client::info);
    send(of, calls);
    ServerStats used = ServerStats.ofCommands(client::info).since(before);
    if (used.scripts() != (long) ScriptCostMeter.AT_ONCE * of.scripts()) {
      throw ScriptCostMeter.disturbed();
    }
    return used.scriptMicros() / ScriptCostMeter.AT_ONCE;
  }

  private void send(ReservationCase of, List<Called> calls) {
    List<Response<Object>> replies = new ArrayList<>();
    try (Pipeline pipeline = client.pipelined()) {
      for (Called each : calls) {
        for (List<String> words : of.calls(each.subject, each.receipt)) {
          names.addAll(words.subList(2, 2 + Integer.parseInt(words.get(1))));
          replies.add(pipeline.sendCommand(Command.EVALSHA, words.toArray(String[]::new)));
        }
      }
      pipeline.sync();
    }
    for (Response<Object> each : replies) {
      if (!(each.get() instanceof List<?> reply) || !reply.get(0).equals(1L)) {
        throw new IllegalStateException(of.title() + " answered " + each.get());
      }
    }
  }

  @Override
  public void close() {
    List<String> all = List.copyOf(names);
    for (int from = 0; from < all.size(); from += KEYS_AT_ONCE) {
      int to = Math.min(all.size(), from + KEYS_AT_ONCE);
      client.unlink(all.subList(from, to).toArray(String[]::new));
    }
  }
}
