package io.github.penstock.simulator.replay;

import io.github.penstock.core.Decision;
import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.simulator.model.ModelReply;
import io.github.penstock.simulator.replay.ServerCommand.KeyCommand;
import io.github.penstock.simulator.traffic.TrafficRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Plays batches of traffic against one limit, and against the processes that lease it, and sends
 * the servers the calls that they should also decide. For one thread at a time.
 */
final class LimitTask {
  private static final int AT_ONCE = 1_000;
  private static final long KEPT_ALIVE_MS = 600_000;
  private static final long SWEEP_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long MARGIN_NANOS = TimeUnit.SECONDS.toNanos(45);
  private final LimitReplay limit;
  private final List<ServerLane> lanes;
  private final int first;
  private final Map<ServerLane, List<ServerCommand>> unsent = new HashMap<>();
  private volatile long keptNanos = System.nanoTime();
  private volatile long longestPauseNanos;
  private long decisions;
  private long checked;

  /**
   * About a limit.
   *
   * @param first moves its subjects along the lanes, so that one subject of several limits has
   *     several servers
   */
  LimitTask(LimitReplay limit, List<ServerLane> lanes, int first) {
    this.limit = limit;
    this.lanes = lanes;
    this.first = first;
  }

  /** Returns how many calls were decided. */
  long decisions() {
    return decisions;
  }

  /** Returns how many of them a server decides, too. */
  long checked() {
    return checked;
  }

  /** Plays requests in their order. */
  void play(List<TrafficRequest> batch) {
    for (TrafficRequest request : batch) {
      decide(request);
    }
  }

  /** Returns the result of a caller without leases. */
  ModelReply decide(TrafficRequest request) {
    SubjectState live = limit.live(request.subject());
    ModelReply reply = ask(limit, request, 1, live);
    limit.count(request, live, reply.allowed(), reply.waitUs());
    LeasingReplay leasing = limit.leasing();
    if (leasing != null) {
      lease(leasing, request, reply.allowed());
    }
    return reply;
  }

  private void lease(LeasingReplay leasing, TrafficRequest request, boolean askingAdmits) {
    LimitReplay server = leasing.server();
    SubjectState live = server.live(request.subject());
    Decision told =
        leasing.decide(request, askingAdmits, calls -> ask(server, request, calls, live));
    server.count(request, live, told.allowed(), told.waitMicros());
  }

  private ModelReply ask(LimitReplay of, TrafficRequest request, long calls, SubjectState live) {
    ModelReply reply = of.model(request, calls, live);
    decisions++;
    if (live.toCheck > 0) {
      live.toCheck--;
      checked++;
      add(lane(request.subject()), new SentCall(this, decisions, of, request, calls, reply));
    }
    return reply;
  }

  private ServerLane lane(String subject) {
    return lanes.get(Math.floorMod(subject.hashCode() + first, lanes.size()));
  }

  private void add(ServerLane lane, ServerCommand command) {
    unsent.computeIfAbsent(lane, each -> new ArrayList<>()).add(command);
  }

  /**
   * Ends a batch: forgets irrelevant state, and sends the servers' commands.
   *
   * @param nowUs the traffic's time
   * @param sent receives the stage that completes when they are sent
   */
  void send(long nowUs, Queue<CompletableFuture<Void>> sent) {
    long pauseNanos = System.nanoTime() - keptNanos;
    sweep(limit, nowUs, pauseNanos >= SWEEP_NANOS);
    if (limit.leasing() != null) {
      sweep(limit.leasing().server(), nowUs, pauseNanos >= SWEEP_NANOS);
    }
    if (pauseNanos >= SWEEP_NANOS) {
      longestPauseNanos = Math.max(longestPauseNanos, pauseNanos);
      keptNanos = System.nanoTime();
    }
    flush(sent);
  }

  private void flush(Queue<CompletableFuture<Void>> sent) {
    unsent.forEach((lane, commands) -> sent.add(lane.send(commands)));
    unsent.clear();
  }

  /** Forgets all subjects, none of which comes again. */
  void endPart(Queue<CompletableFuture<Void>> sent) {
    forget(limit, Long.MAX_VALUE);
    limit.stats().endPart();
    flush(sent);
  }

  /* The server counts real time, and the model the traffic's. */
  private void sweep(LimitReplay of, long nowUs, boolean keepAlive) {
    if (keepAlive) {
      long now = System.nanoTime();
      of.expiring(nowUs, now + SWEEP_NANOS + MARGIN_NANOS)
          .forEach(
              (subject, state) -> {
                add(lane(subject), new KeyCommand(of.calls().keepAlive(subject, KEPT_ALIVE_MS)));
                state.expiresNanos = now + TimeUnit.MILLISECONDS.toNanos(KEPT_ALIVE_MS);
              });
    }
    if (of.isCrowded()) {
      forget(of, nowUs);
    }
  }

  private void forget(LimitReplay of, long nowUs) {
    of.forget(nowUs).stream()
        .collect(Collectors.groupingBy(this::lane))
        .forEach((lane, gone) -> remove(of, lane, gone));
  }

  private void remove(LimitReplay of, ServerLane lane, List<String> gone) {
    for (int from = 0; from < gone.size(); from += AT_ONCE) {
      List<String> some = gone.subList(from, Math.min(gone.size(), from + AT_ONCE));
      add(lane, new KeyCommand(of.calls().remove(some)));
    }
  }

  /** Throws a {@link UserErrorException} if keys may have expired that were still needed. */
  void failIfItStoodStill() {
    long pauseNanos = Math.max(longestPauseNanos, System.nanoTime() - keptNanos);
    if (pauseNanos > MARGIN_NANOS) {
      throw new UserErrorException(
          "the run stood still for "
              + TimeUnit.NANOSECONDS.toSeconds(pauseNanos)
              + " s, and keys that the traffic still needed have expired: repeat it without a"
              + " pause.");
    }
  }
}
