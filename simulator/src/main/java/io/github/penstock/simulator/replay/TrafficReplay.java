package io.github.penstock.simulator.replay;

import io.github.penstock.core.Decision;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.report.console.OrderlyStop;
import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.scripts.LuaScript;
import io.github.penstock.simulator.traffic.RequestSource;
import io.github.penstock.simulator.traffic.TrafficRequest;
import io.github.penstock.testkit.model.ExpectedOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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

  /**
   * Plays all of the source against every limit. A source that reacts hears what was said to
   * somebody who asks each time.
   */
  void play(RequestSource source, List<LimitReplay> limits) {
    List<LimitReplay> all = new ArrayList<>(limits);
    limits.stream()
        .map(LimitReplay::leasing)
        .filter(Objects::nonNull)
        .forEach(leasing -> all.add(leasing.server()));
    for (TrafficRequest request = source.next(); request != null; request = source.next()) {
      for (LimitReplay limit : limits) {
        ExpectedOutcome outcome = send(limit, request, 1);
        source.decided(request, outcome.allowed(), outcome.waitUs());
        if (limit.leasing() != null) {
          lease(limit.leasing(), request, outcome.allowed());
        }
      }
      if (batch.size() >= BATCH) {
        check();
        sweepIfDue(all, request.timeUs());
      }
    }
    check();
  }

  /** Returns how many decisions were made and found equal to the model's. */
  long decisions() {
    return decisions;
  }

  /** Ends what the server is still asked for. */
  @Override
  public void close() {
    pipeline.close();
  }

  private ExpectedOutcome send(LimitReplay limit, TrafficRequest request, long calls) {
    Response<Object> response = limit.send(pipeline, request, calls);
    SubjectState live = limit.live(request.subject());
    ExpectedOutcome outcome = limit.model(request, calls, live);
    SentCall sent = new SentCall(calls, outcome, response);
    batch.add(new Entry(limit, request, live, outcome.allowed(), outcome.waitUs(), sent));
    return outcome;
  }

  private void lease(LeasingReplay leasing, TrafficRequest request, boolean askingAdmits) {
    LimitReplay server = leasing.server();
    Decision told = leasing.decide(request, askingAdmits, calls -> send(server, request, calls));
    if (told.source() != DecisionSource.SERVER) {
      SubjectState live = server.live(request.subject());
      batch.add(new Entry(server, request, live, told.allowed(), told.waitMicros(), null));
    }
  }

  private void check() {
    OrderlyStop.check();
    pipeline.sync();
    for (Entry entry : batch) {
      if (entry.sent != null) {
        check(entry, entry.sent);
      }
      entry.limit.count(entry.request, entry.live, entry.allowed, entry.waitUs);
    }
    batch.clear();
  }

  private void check(Entry entry, SentCall sent) {
    decisions++;
    Object answer = answer(sent.response);
    if (!sent.outcome.reply().equals(answer)) {
      throw difference(entry, sent, answer);
    }
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

  private RuntimeException difference(Entry entry, SentCall sent, Object answer) {
    long pause = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - sweptNanos);
    if (pause > TimeUnit.NANOSECONDS.toSeconds(MARGIN_NANOS)) {
      return new UserErrorException(
          "the run stood still for "
              + pause
              + " s, and keys that the traffic still needed have expired: repeat it without a"
              + " pause.");
    }
    return new ModelMismatchException(
        decisions,
        entry.limit.candidate(),
        entry.request,
        LimitReplay.cost(entry.request, sent.calls),
        answer,
        sent.outcome.reply());
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

  /* A request with its answer, and the call that was sent for it, if any. */
  private record Entry(
      LimitReplay limit,
      TrafficRequest request,
      SubjectState live,
      boolean allowed,
      long waitUs,
      @Nullable SentCall sent) {}

  private record SentCall(long calls, ExpectedOutcome outcome, Response<Object> response) {}
}
