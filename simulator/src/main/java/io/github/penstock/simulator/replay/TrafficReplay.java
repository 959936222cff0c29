package io.github.penstock.simulator.replay;

import io.github.penstock.report.console.OrderlyStop;
import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.scripts.LuaScript;
import io.github.penstock.simulator.traffic.RequestSource;
import io.github.penstock.simulator.traffic.TrafficRequest;
import io.github.penstock.testkit.model.ExpectedOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.Response;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * Plays traffic through the shipped scripts on a server, with the time given, and holds each
 * decision against the exact model.
 *
 * <p>Calls go out in batches; while the server works on one, the model computes the same. The model
 * also tells traffic that reacts what was decided: were the server to decide otherwise, the run
 * would end there, so what is played is what the server's answers lead to. Not safe for use by
 * several threads.
 */
final class TrafficReplay implements AutoCloseable {
  private static final int BATCH = 1_000;
  private static final int CROWD = 50_000;
  private static final long SWEEP_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long MARGIN_NANOS = TimeUnit.SECONDS.toNanos(45);
  private final Pipeline pipeline;
  private final List<Entry> batch = new ArrayList<>(BATCH);
  private long decisions;
  private long sweptNanos = System.nanoTime();
  private int crowd = CROWD;

  TrafficReplay(RedisClient client) {
    for (LuaScript script : LuaScript.values()) {
      client.scriptLoad(script.source());
    }
    pipeline = client.pipelined();
  }

  /** Plays all of the source against every limit. */
  void play(RequestSource source, List<LimitReplay> limits) {
    for (TrafficRequest request = source.next(); request != null; request = source.next()) {
      for (LimitReplay limit : limits) {
        ExpectedOutcome outcome = send(limit, request);
        source.decided(request, outcome.allowed(), outcome.waitUs());
      }
      if (batch.size() >= BATCH) {
        check();
        sweepIfDue(limits, request.timeUs());
      }
    }
    check();
  }

  /** How many decisions were made and found equal to the model's. */
  long decisions() {
    return decisions;
  }

  /** Ends what the server is still asked for. */
  @Override
  public void close() {
    pipeline.close();
  }

  private ExpectedOutcome send(LimitReplay limit, TrafficRequest request) {
    Response<Object> response = limit.send(pipeline, request);
    SubjectState live = limit.live(request.subject());
    ExpectedOutcome outcome = limit.model(request, live);
    batch.add(new Entry(limit, request, live, outcome, response));
    return outcome;
  }

  private void check() {
    OrderlyStop.check();
    pipeline.sync();
    for (Entry entry : batch) {
      decisions++;
      Object answer = answer(entry.response);
      if (!entry.outcome.reply().equals(answer)) {
        throw difference(entry, answer);
      }
      entry.limit.count(entry.request, entry.live, entry.outcome);
    }
    batch.clear();
  }

  private static Object answer(Response<Object> response) {
    try {
      return response.get();
    } catch (JedisDataException refused) {
      String text = String.valueOf(refused.getMessage());
      if (text.startsWith("ERR penstock")) {
        return text;
      }
      if (text.startsWith("NOSCRIPT")) {
        throw new UserErrorException(
            "the server was restarted or its script cache was emptied during the run: run it again.");
      }
      throw refused;
    }
  }

  private RuntimeException difference(Entry entry, Object answer) {
    long pause = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - sweptNanos);
    if (pause > TimeUnit.NANOSECONDS.toSeconds(MARGIN_NANOS)) {
      return new UserErrorException(
          "the run stood still for "
              + pause
              + " s, and keys that the traffic still needed have expired: repeat it without a"
              + " pause.");
    }
    return new ModelMismatchException(
        decisions, entry.limit.candidate(), entry.request, answer, entry.outcome.reply());
  }

  private void sweepIfDue(List<LimitReplay> limits, long nowUs) {
    boolean crowded =
        limits.stream().anyMatch(limit -> limit.remembered() > crowd || limit.isCrowded());
    long now = System.nanoTime();
    if (!crowded && now - sweptNanos < SWEEP_NANOS) {
      return;
    }
    for (LimitReplay limit : limits) {
      limit.sweep(nowUs, now + SWEEP_NANOS + MARGIN_NANOS, pipeline);
    }
    pipeline.sync();
    sweptNanos = now;
    int most = limits.stream().mapToInt(LimitReplay::remembered).max().orElse(0);
    crowd = Math.max(CROWD, 2 * most);
  }

  private record Entry(
      LimitReplay limit,
      TrafficRequest request,
      SubjectState live,
      ExpectedOutcome outcome,
      Response<Object> response) {}
}
