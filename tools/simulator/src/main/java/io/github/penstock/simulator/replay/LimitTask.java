package io.github.penstock.simulator.replay;

import io.github.penstock.core.Decision;
import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.simulator.model.ModelReply;
import io.github.penstock.simulator.model.ServerPipeline.SentCommand;
import io.github.penstock.simulator.traffic.TrafficRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import redis.clients.jedis.CommandArguments;

/**
 * Plays traffic against one limit, and against the processes that lease it, and collects the calls
 * that a server should also decide. For one thread at a time.
 */
final class LimitTask {
  private static final int AT_ONCE = 1_000;
  private static final long KEPT_ALIVE_MS = 600_000;
  private static final long SWEEP_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long MARGIN_NANOS = TimeUnit.SECONDS.toNanos(45);
  private final LimitReplay limit;
  private final List<SentCommand> unsent = new ArrayList<>();
  private long keptNanos = System.nanoTime();
  private long longestPauseNanos;
  private long decisions;
  private long checked;

  LimitTask(LimitReplay limit) {
    this.limit = limit;
  }

  long decisions() {
    return decisions;
  }

  /** Returns how many of them a server should decide, too. */
  long checked() {
    return checked;
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
      long number = decisions;
      unsent.add(
          new SentCommand(
              of.calls().call(request, calls),
              answer -> compare(of, number, request, calls, reply, answer)));
    }
    return reply;
  }

  private void compare(
      LimitReplay of,
      long number,
      TrafficRequest request,
      long calls,
      ModelReply exact,
      Object answer) {
    if (!exact.is(answer)) {
      failIfItStoodStill();
      throw new ModelMismatchException(
          number,
          of.candidate(),
          request,
          LimitCalls.cost(request, calls),
          answer,
          exact.integers());
    }
  }

  /**
   * Ends a batch: forgets irrelevant state. Returns the commands for a server since the last batch.
   *
   * @param nowUs the traffic's time
   */
  List<SentCommand> end(long nowUs) {
    long pauseNanos = System.nanoTime() - keptNanos;
    sweep(limit, nowUs, pauseNanos >= SWEEP_NANOS);
    if (limit.leasing() != null) {
      sweep(limit.leasing().server(), nowUs, pauseNanos >= SWEEP_NANOS);
    }
    if (pauseNanos >= SWEEP_NANOS) {
      longestPauseNanos = Math.max(longestPauseNanos, pauseNanos);
      keptNanos = System.nanoTime();
    }
    return taken();
  }

  private List<SentCommand> taken() {
    List<SentCommand> commands = List.copyOf(unsent);
    unsent.clear();
    return commands;
  }

  /** Forgets all subjects, none of which comes again. Returns the commands for a server. */
  List<SentCommand> endPart() {
    forget(limit, Long.MAX_VALUE);
    limit.stats().endPart();
    return taken();
  }

  /* The server counts real time, and the model the traffic's. */
  private void sweep(LimitReplay of, long nowUs, boolean keepAlive) {
    if (keepAlive) {
      long now = System.nanoTime();
      of.expiring(nowUs, now + SWEEP_NANOS + MARGIN_NANOS)
          .forEach(
              (subject, state) -> {
                add(of.calls().keepAlive(subject, KEPT_ALIVE_MS));
                state.expiresNanos = now + TimeUnit.MILLISECONDS.toNanos(KEPT_ALIVE_MS);
              });
    }
    if (of.isCrowded()) {
      forget(of, nowUs);
    }
  }

  private void forget(LimitReplay of, long nowUs) {
    List<String> gone = of.forget(nowUs);
    for (int from = 0; from < gone.size(); from += AT_ONCE) {
      add(of.calls().remove(gone.subList(from, Math.min(gone.size(), from + AT_ONCE))));
    }
  }

  private void add(CommandArguments command) {
    unsent.add(new SentCommand(command, answer -> {}));
  }

  private void failIfItStoodStill() {
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
