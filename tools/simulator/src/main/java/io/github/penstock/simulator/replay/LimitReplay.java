package io.github.penstock.simulator.replay;

import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.LimitTier;
import io.github.penstock.local.internal.LimitArithmetic;
import io.github.penstock.simulator.model.ModelReply;
import io.github.penstock.simulator.stats.ReplayStats;
import io.github.penstock.simulator.stats.SlidingMaximum;
import io.github.penstock.simulator.traffic.LeaseSettings;
import io.github.penstock.simulator.traffic.LimitCandidate;
import io.github.penstock.simulator.traffic.SubjectSample;
import io.github.penstock.simulator.traffic.TrafficRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One limit that traffic is played against: the model's decisions, and their figures. Not safe for
 * use by several threads.
 */
final class LimitReplay {
  private static final int MANY_TIMES = 1 << 20;
  private static final int CROWD = 50_000;
  private static final int FINEST_GRAINS = 1_000;
  private static final int COARSEST_GRAINS = 8;
  /* A script adds this to the time to live when the caller gives the time. */
  private static final long PADDING_MS = 60_000;
  private static final long A_SECOND_US = 1_000_000;
  private static final long A_MONTH_MS = 2_592_000_000L;
  private final LimitCandidate candidate;
  private final LimitArithmetic model;
  private final LimitCalls calls;
  private final ReplayStats stats;
  private final List<LimitArithmetic> withoutTier;
  private final Map<String, SubjectState> live = new HashMap<>();
  private final long[] grainsUs;
  private CheckShare check = CheckShare.ALL;
  private long times;
  private long mostTimes = MANY_TIMES;
  private long lookedAt;
  private int crowd = CROWD;
  private @Nullable LeasingReplay leasing;

  /**
   * On separate keys.
   *
   * @param prefix and policy of its keys
   * @param leases of processes that are played beside, if any
   */
  LimitReplay(
      LimitCandidate candidate, String prefix, String policy, @Nullable LeaseSettings leases) {
    this(candidate, candidate.limit(), prefix, policy);
    if (leases != null) {
      LimitReplay server = new LimitReplay(candidate, prefix, policy + "-leasing", null);
      leasing = new LeasingReplay(server, leases);
    }
  }

  /* A limit on the server that is not the model's is how a test plants a difference. */
  LimitReplay(LimitCandidate candidate, Limit served, String prefix, String policy) {
    this.candidate = candidate;
    this.model = new LimitArithmetic(candidate.limit());
    this.calls = new LimitCalls(served, prefix, policy);
    this.stats = new ReplayStats(candidate);
    this.withoutTier = candidate.withoutEachTier().stream().map(LimitArithmetic::new).toList();
    this.grainsUs = new long[candidate.limit().tiers().size()];
  }

  LimitCandidate candidate() {
    return candidate;
  }

  ReplayStats stats() {
    return stats;
  }

  /** The limit in processes with leases; null without them. */
  @Nullable LeasingReplay leasing() {
    return leasing;
  }

  LimitCalls calls() {
    return calls;
  }

  /**
   * Begins to play a log.
   *
   * @param firstUs that no request is earlier than
   * @param share of the decisions, which a server makes, too
   * @param deadlineUs an admitted request that is put off for longer is not served
   */
  void begin(long firstUs, SubjectSample sample, CheckShare share, long deadlineUs) {
    check = share;
    stats.begin(firstUs, deadlineUs, sample);
    if (leasing != null) {
      leasing.server().begin(firstUs, sample, share, deadlineUs);
    }
  }

  /** Returns how many subjects are remembered now. */
  int remembered() {
    return live.size();
  }

  /** Releases everything, when memory is exhausted and an orderly end is impossible. */
  void forgetAll() {
    live.clear();
    if (leasing != null) {
      leasing.forgetAll();
    }
  }

  /** The model's answer to several calls at once; it updates the subject's state. */
  ModelReply model(TrafficRequest request, long calls, SubjectState of) {
    ModelReply reply =
        ModelReply.of(model.call(request.cost(), calls, request.timeUs(), of.stored));
    if (reply.allowed()) {
      long ttlMs = model.ttlMs();
      of.mattersUntil(request.timeUs() + (ttlMs - PADDING_MS) * 1_000);
      if (of.toCheck > 0) {
        of.expiresNanos = System.nanoTime() + Math.min(ttlMs, A_MONTH_MS) * 1_000_000;
      }
    }
    return reply;
  }

  SubjectState live(String subject) {
    SubjectState known = live.get(subject);
    if (known == null) {
      known = new SubjectState(grainsUs.length, model.numbers(), check.of(subject));
      live.put(subject, known);
    }
    return known;
  }

  /** Counts the answer to a request. */
  void count(TrafficRequest request, SubjectState of, boolean allowed, long waitUs) {
    if (of.deniedUs > 0 && request.timeUs() - of.deniedUs <= A_SECOND_US) {
      stats.cameAgain(request);
    }
    of.deniedUs = allowed ? 0 : request.timeUs();
    for (int tier = 0; tier < withoutTier.size(); tier++) {
      long[] state = of.withoutTier(tier, withoutTier.get(tier).numbers());
      long[] reply = withoutTier.get(tier).call(request.cost(), 1, request.timeUs(), state);
      if (allowed != ModelReply.of(reply).allowed()) {
        stats.tierMattered(tier);
      }
    }
    if (!allowed) {
      stats.denied(request, waitUs);
      return;
    }
    stats.admitted(request, waitUs);
    long aheadUs = request.timeUs() + waitUs;
    for (int tier = 0; tier < grainsUs.length; tier++) {
      slide(request, of, tier, aheadUs);
    }
  }

  private void slide(TrafficRequest request, SubjectState of, int tier, long aheadUs) {
    long lengthUs = candidate.limit().tiers().get(tier).periodMicros();
    SlidingMaximum span = of.spans[tier];
    int before = span.size();
    long sum = span.add(aheadUs, request.cost(), lengthUs, grainsUs[tier]);
    times += span.size() - before;
    stats.passed(tier, sum, aheadUs, request.subject(), grainsUs[tier] == 0);
    of.mattersUntil(aheadUs + lengthUs);
  }

  /** The subjects whose keys still matter and would expire by then, with their states. */
  Map<String, SubjectState> expiring(long nowUs, long byNanos) {
    Map<String, SubjectState> expiring = new HashMap<>();
    live.forEach(
        (subject, state) -> {
          if (state.toCheck > 0
              && state.hasKey()
              && !state.isOver(nowUs)
              && state.expiresNanos - byNanos < 0) {
            expiring.put(subject, state);
          }
        });
    return expiring;
  }

  /**
   * Returns whether there is more to remember than should be without {@link #forget}: twice as much
   * as the last time, so that all sweeps together take a time that is linear in the requests.
   */
  boolean isCrowded() {
    return live.size() > crowd || times > mostTimes;
  }

  /** Returns how many subjects all sweeps have looked at. */
  long lookedAt() {
    return lookedAt;
  }

  /**
   * Forgets state that is irrelevant at this time of the traffic. Returns the subjects of which a
   * server has a key.
   */
  List<String> forget(long nowUs) {
    List<String> gone = new ArrayList<>();
    lookedAt += live.size();
    for (Iterator<Map.Entry<String, SubjectState>> all = live.entrySet().iterator();
        all.hasNext(); ) {
      Map.Entry<String, SubjectState> each = all.next();
      if (each.getValue().isOver(nowUs)) {
        all.remove();
        for (SlidingMaximum span : each.getValue().spans) {
          times -= span.size();
        }
        if (each.getValue().hasKey()) {
          gone.add(each.getKey());
        }
      }
    }
    crowd = Math.max(CROWD, 2 * live.size());
    // A subject keeps one time at least, so grouping helps only where subjects have several.
    if (times > Math.max(MANY_TIMES, 2L * live.size() * grainsUs.length)) {
      group();
    }
    mostTimes = Math.max(MANY_TIMES, 2 * times);
    return gone;
  }

  private void group() {
    times = 0;
    lookedAt += live.size();
    for (int tier = 0; tier < grainsUs.length; tier++) {
      grainsUs[tier] = coarser(grainsUs[tier], candidate.limit().tiers().get(tier));
      for (SubjectState each : live.values()) {
        each.spans[tier].group(grainsUs[tier]);
        times += each.spans[tier].size();
      }
    }
  }

  private static long coarser(long grainUs, LimitTier tier) {
    long finest = Math.max(1, tier.periodMicros() / FINEST_GRAINS);
    long coarsest = Math.max(1, tier.periodMicros() / COARSEST_GRAINS);
    return grainUs == 0 ? finest : Math.min(2 * grainUs, coarsest);
  }
}
