package io.github.penstock.benchmarks.compare;

import io.github.penstock.benchmarks.CleanStop;
import io.github.penstock.benchmarks.Complaint;
import io.github.penstock.compat.model.Outcome;
import io.github.penstock.scripts.LuaScript;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
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
final class Replay implements AutoCloseable {
  private static final int BATCH = 1_000;
  private static final int CROWD = 50_000;
  private static final long SWEEP_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long MARGIN_NANOS = TimeUnit.SECONDS.toNanos(45);
  private final Pipeline pipeline;
  private final List<Entry> batch = new ArrayList<>(BATCH);
  private long decisions;
  private long sweptNanos = System.nanoTime();
  private int crowd = CROWD;

  Replay(RedisClient client) {
    for (LuaScript script : LuaScript.values()) {
      client.scriptLoad(script.source());
    }
    pipeline = client.pipelined();
  }

  /** Plays all of the source in every lane. */
  void play(Source source, List<Lane> lanes) {
    long nowUs = 0;
    for (Request request = next(source, lanes, nowUs);
        request != null;
        request = next(source, lanes, nowUs)) {
      nowUs = request.timeUs();
      for (Lane lane : lanes) {
        Outcome outcome = send(lane, request);
        source.decided(request, outcome.allowed(), outcome.waitUs());
      }
      if (batch.size() >= BATCH) {
        check();
        sweepIfDue(lanes, nowUs);
      }
    }
    check();
  }

  /* Keys expire in real time: a batch is not held back while traffic is slow to come. */
  private @Nullable Request next(Source source, List<Lane> lanes, long nowUs) {
    while (!source.isReady()) {
      check();
      sweepIfDue(lanes, nowUs);
    }
    return source.next();
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

  private Outcome send(Lane lane, Request request) {
    Response<Object> response = lane.send(pipeline, request);
    Live live = lane.live(request.subject());
    Outcome outcome = lane.model(request, live);
    batch.add(new Entry(lane, request, live, outcome, response));
    return outcome;
  }

  private void check() {
    CleanStop.check();
    pipeline.sync();
    for (Entry entry : batch) {
      decisions++;
      Object answer = answer(entry.response);
      if (!entry.outcome.reply().equals(answer)) {
        throw difference(entry, answer);
      }
      entry.lane.count(entry.request, entry.live, entry.outcome);
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
        throw new Complaint(
            "somebody emptied the server's cache of scripts or restarted it during the run: repeat it.");
      }
      throw refused;
    }
  }

  private RuntimeException difference(Entry entry, Object answer) {
    long pause = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - sweptNanos);
    if (pause > TimeUnit.NANOSECONDS.toSeconds(MARGIN_NANOS)) {
      return new Complaint(
          "the run stood still for "
              + pause
              + " s, and keys that the traffic still needed have expired: repeat it without a pause.");
    }
    return new Disagreement(
        decisions, entry.lane.candidate(), entry.request, answer, entry.outcome.reply());
  }

  private void sweepIfDue(List<Lane> lanes, long nowUs) {
    boolean crowded =
        lanes.stream().anyMatch(lane -> lane.remembered() > crowd || lane.isCrowded());
    long now = System.nanoTime();
    if (!crowded && now - sweptNanos < SWEEP_NANOS) {
      return;
    }
    for (Lane lane : lanes) {
      lane.sweep(nowUs, now + SWEEP_NANOS + MARGIN_NANOS, pipeline);
    }
    pipeline.sync();
    sweptNanos = now;
    int most = lanes.stream().mapToInt(Lane::remembered).max().orElse(0);
    crowd = Math.max(CROWD, 2 * most);
  }

  private record Entry(
      Lane lane, Request request, Live live, Outcome outcome, Response<Object> response) {}
}
