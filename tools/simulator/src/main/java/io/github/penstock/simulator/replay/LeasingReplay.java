package io.github.penstock.simulator.replay;

import io.github.penstock.core.Decision;
import io.github.penstock.core.internal.protocol.ReplyDecoder;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.simulator.model.ModelReply;
import io.github.penstock.simulator.stats.LeaseStats;
import io.github.penstock.simulator.traffic.LeaseSettings;
import io.github.penstock.simulator.traffic.TrafficRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongFunction;

/**
 * This traffic through several processes that lease and remember denials, on separate keys. Each
 * request goes to any of them at random, as behind a load balancer; to the same ones in every run.
 * Not safe for use by several threads.
 */
final class LeasingReplay {
  /* As many as a process has in a service; here all of them together, to bound the memory. */
  private static final int SUBJECTS = 100_000;
  private static final int FEWEST_SUBJECTS = 64;
  private static final long SEED = 16;
  private final LimitReplay server;
  private final TrafficClock clock = new TrafficClock();
  private final SplittableRandom balancer = new SplittableRandom(SEED);
  private final List<TrafficProcess> processes = new ArrayList<>();
  private final LeaseStats stats;

  /**
   * Processes that begin with nothing.
   *
   * @param server the limit as they ask for it
   */
  LeasingReplay(LimitReplay server, LeaseSettings settings) {
    this.server = server;
    Limit limit = server.candidate().limit();
    int each = Math.max(FEWEST_SUBJECTS, SUBJECTS / settings.processes());
    for (int i = 0; i < settings.processes(); i++) {
      processes.add(new TrafficProcess(limit, settings.terms(), clock, each));
    }
    stats =
        new LeaseStats(
            settings,
            TrafficProcess.mayLease(limit, settings.terms(), clock),
            server.stats(),
            processes.stream().map(TrafficProcess::counts).toList());
  }

  /** The limit as the processes ask for it. */
  LimitReplay server() {
    return server;
  }

  LeaseStats stats() {
    return stats;
  }

  /** Releases everything, when memory is exhausted and an orderly end is impossible. */
  void forgetAll() {
    server.forgetAll();
    processes.clear();
  }

  /**
   * Has one of the processes decide about a request.
   *
   * @param askingAdmits the decision without leases
   * @param asked decides this number of calls of its cost
   */
  Decision decide(TrafficRequest request, boolean askingAdmits, LongFunction<ModelReply> asked) {
    clock.reach(request.timeUs());
    TrafficProcess process = processes.get(balancer.nextInt(processes.size()));
    byte[] key = server.calls().key(request.subject());
    Decision told =
        process.decide(
            key,
            request.cost(),
            calls -> ReplyDecoder.acquired(asked.apply(calls).integers(), calls));
    stats.count(request, told, askingAdmits);
    return told;
  }
}
