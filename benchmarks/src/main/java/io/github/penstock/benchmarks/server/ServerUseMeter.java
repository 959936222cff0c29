package io.github.penstock.benchmarks.server;

import io.github.penstock.benchmarks.limiter.BenchmarkCandidate;
import io.github.penstock.benchmarks.limiter.BenchmarkTarget;
import io.github.penstock.benchmarks.limiter.ClientSession;
import io.github.penstock.benchmarks.limiter.LimiterFactory;
import io.github.penstock.benchmarks.limiter.LimiterUnderTest;
import io.github.penstock.benchmarks.limiter.SubjectWorkload;
import io.github.penstock.benchmarks.plan.BenchmarkProfile;
import io.github.penstock.benchmarks.plan.ServerCase;
import io.github.penstock.benchmarks.result.ServerUse;
import io.github.penstock.report.console.OrderlyStop;
import io.github.penstock.testkit.resp.RedisUrl;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Measures the limiters' use of the server, by its own counters. Memory is measured once for each
 * limiter: it does not depend on the client. Not safe for use by several threads.
 */
public final class ServerUseMeter {
  private static final int SUBJECTS = 100;
  private static final int LATER = 100;
  /* No script but Bucket4j's makes fewer, so none of their GETs is taken for one by itself. */
  private static final int ALL_GETS = 1_000;
  private final RedisUrl url;
  private final int decisions;

  public ServerUseMeter(RedisUrl url, int decisions) {
    this.url = url;
    this.decisions = decisions / BenchmarkProfile.THREADS * BenchmarkProfile.THREADS;
  }

  /**
   * Measures all of them, interleaved; failures are in the answers.
   *
   * @param rounds how many iterations each has; the one that took the least counts
   */
  public List<ServerUse> measure(List<ServerCase> cases, int rounds) {
    List<MeteredLimiter> limiters = new ArrayList<>();
    try {
      cases.forEach(each -> limiters.add(new MeteredLimiter(each)));
      for (int round = 0; round < rounds; round++) {
        limiters.forEach(each -> each.attempt(each::iterate));
      }
    } finally {
      limiters.forEach(MeteredLimiter::close);
    }
    Set<BenchmarkCandidate> known = new HashSet<>();
    return limiters.stream().map(each -> each.use(known)).toList();
  }

  /** A limiter that is ready for its iterations, and its use so far. */
  private final class MeteredLimiter {
    private final ServerCase what;
    private final BenchmarkTarget target = BenchmarkTarget.at(url);
    private @Nullable ClientSession session;
    private @Nullable LimiterUnderTest limiter;
    private @Nullable ServerStats least;
    private @Nullable String problem;

    MeteredLimiter(ServerCase what) {
      this.what = what;
      attempt(this::open);
    }

    private void open() {
      ClientSession opened = what.client().open(target);
      session = opened;
      LimiterUnderTest ready = prepared(what, opened, target);
      ThreadLoad.run(ready, what.workload(), decisions);
      limiter = ready;
    }

    void attempt(Runnable work) {
      if (problem != null) {
        return;
      }
      try {
        work.run();
      } catch (IllegalStateException failure) {
        OrderlyStop.check();
        problem = String.valueOf(failure.getMessage());
      }
    }

    void iterate() {
      LimiterUnderTest ready = limiter;
      if (ready == null) {
        return;
      }
      ServerStats before = target.read(ServerStats::ofAll);
      ThreadLoad.run(ready, what.workload(), decisions);
      ServerStats used = target.read(ServerStats::ofAll).since(before);
      if (least == null || micros(used) < micros(least)) {
        least = used;
      }
    }

    private double micros(ServerStats used) {
      int gets = what.candidate().sendsGets() ? 1 : ALL_GETS;
      return used.commandMicros(gets) / decisions;
    }

    /** Its use; figures that do not depend on the client are measured for the first client only. */
    ServerUse use(Set<BenchmarkCandidate> known) {
      ServerStats used = least;
      if (used == null || problem != null) {
        return ServerUse.failed(what, String.valueOf(problem));
      }
      boolean first = what.workload() == SubjectWorkload.ALLOWED && known.add(what.candidate());
      return new ServerUse(
          what,
          micros(used),
          used.processorMicros() / decisions,
          used.commands() / decisions,
          used.count("total_net_input_bytes") / decisions,
          used.count("total_net_output_bytes") / decisions,
          first ? memory(what, 1) : -1,
          first ? memory(what, LATER) : -1,
          null);
    }

    void close() {
      ClientSession opened = session;
      if (opened != null) {
        opened.close();
      }
      target.close();
    }
  }

  private static LimiterUnderTest prepared(
      ServerCase what, ClientSession session, BenchmarkTarget target) {
    return LimiterFactory.prepared(
        what.candidate().on(session, target, what.workload()), what.workload());
  }

  /** Bytes of memory per subject, all its keys together, after this number of charges of each. */
  private double memory(ServerCase what, int charges) {
    try (BenchmarkTarget target = BenchmarkTarget.at(url);
        ClientSession session = what.client().open(target)) {
      LimiterUnderTest limiter = what.candidate().on(session, target, what.workload());
      long settled = target.memory();
      for (int subject = 0; subject < SUBJECTS; subject++) {
        for (int charge = 0; charge < charges; charge++) {
          limiter.decide(subject);
        }
      }
      // Some limiters write for each subject of the workload before the first call: that counts,
      // too.
      return (double) (target.memory() - settled) / SUBJECTS
          + (double) settled / what.workload().subjects();
    }
  }
}
