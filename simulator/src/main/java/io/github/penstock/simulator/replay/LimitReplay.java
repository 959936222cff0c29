package io.github.penstock.simulator.replay;

import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.engine.KeyFormat;
import io.github.penstock.core.engine.LimitEncoding;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.LimitTier;
import io.github.penstock.simulator.stats.ReplayStats;
import io.github.penstock.simulator.stats.SlidingMaximum;
import io.github.penstock.simulator.traffic.LeaseSettings;
import io.github.penstock.simulator.traffic.LimitCandidate;
import io.github.penstock.simulator.traffic.TrafficRequest;
import io.github.penstock.testkit.model.ExactModel;
import io.github.penstock.testkit.model.ExpectedOutcome;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.Response;

/**
 * One limit that traffic is played against: calls of the shipped script, the exact model beside
 * them, and the figures of the server's answers. Not safe for use by several threads.
 */
final class LimitReplay {
  private static final List<String> MODEL_KEY = List.of("key");
  private static final int MOST_TIMES = 1 << 20;
  private static final int AT_ONCE = 1_000;
  private static final int FINEST_GRAINS = 1_000;
  private static final int COARSEST_GRAINS = 8;
  private static final long KEPT_ALIVE_MS = 600_000;
  /* A script adds this to the time to live when the caller gives the time. */
  private static final long PADDING_MS = 60_000;
  private static final long A_MONTH_MS = 2_592_000_000L;
  private static final byte[] ONE = {'1'};
  private final LimitCandidate candidate;
  private final ExactModel model;
  private final List<String> modelTiers;
  private final List<byte[]> serverTiers;
  private final byte[] sha1;
  private final KeyFormat keys;
  private final ReplayStats stats;
  private final Map<String, SubjectState> live = new HashMap<>();
  private final long[] grainsUs;
  private long times;
  private @Nullable LeasingReplay leasing;

  /**
   * On keys of its own.
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
    this.model = ExactModel.of(ScriptAlgorithm.named(candidate.algorithm()));
    this.modelTiers = LimitEncoding.of(candidate.limit()).arguments();
    LimitEncoding encoding = LimitEncoding.of(served);
    this.serverTiers = encoding.arguments().stream().map(LimitReplay::ascii).toList();
    this.sha1 = ascii(encoding.script().sha1());
    RateLimiterOptions options = RateLimiterOptions.builder().prefix(prefix).build();
    this.keys = new KeyFormat(options.keyPrefix(policy), encoding.marker());
    this.stats = new ReplayStats(candidate);
    this.grainsUs = new long[candidate.limit().tiers().size()];
  }

  LimitCandidate candidate() {
    return candidate;
  }

  ReplayStats stats() {
    return stats;
  }

  /** The same limit in processes that lease; null if there are none. */
  @Nullable LeasingReplay leasing() {
    return leasing;
  }

  /** The key of a subject. */
  byte[] key(String subject) {
    return keys.key(subject);
  }

  /** Returns how many subjects are remembered now. */
  int remembered() {
    return live.size();
  }

  /** Lets go of everything, when there is no memory left to end in order. */
  void forgetAll() {
    live.clear();
    if (leasing != null) {
      leasing.forgetAll();
    }
  }

  /** The model's answer to so many calls at once; the subject's state goes on from there. */
  ExpectedOutcome model(TrafficRequest request, long calls, SubjectState of) {
    List<String> arguments = new ArrayList<>(modelTiers.size() + 2);
    arguments.add(cost(request, calls));
    arguments.addAll(modelTiers);
    arguments.add(Long.toString(request.timeUs()));
    ExpectedOutcome outcome = model.call(MODEL_KEY, arguments, of.stored, 0);
    if (outcome.written()) {
      long ttlNanos = Math.min(outcome.stored().ttlMs(), A_MONTH_MS) * 1_000_000;
      of.stored = outcome.stored();
      of.expiresNanos = System.nanoTime() + ttlNanos;
      of.mattersUntil(request.timeUs() + (outcome.stored().ttlMs() - PADDING_MS) * 1_000);
    }
    return outcome;
  }

  SubjectState live(String subject) {
    return live.computeIfAbsent(subject, key -> new SubjectState(grainsUs.length));
  }

  Response<Object> send(Pipeline pipeline, TrafficRequest request, long calls) {
    List<byte[]> arguments = new ArrayList<>(serverTiers.size() + 2);
    arguments.add(request.cost() == 1 && calls == 1 ? ONE : ascii(cost(request, calls)));
    arguments.addAll(serverTiers);
    arguments.add(ascii(Long.toString(request.timeUs())));
    return pipeline.evalsha(sha1, List.of(keys.key(request.subject())), arguments);
  }

  /** The argument for so many calls of a request at once. */
  static String cost(TrafficRequest request, long calls) {
    return calls == 1 ? Long.toString(request.cost()) : request.cost() + "*" + calls;
  }

  /** Counts the answer to a request, once the model and the server agree. */
  void count(TrafficRequest request, SubjectState of, boolean allowed, long waitUs) {
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

  /**
   * Forgets what no longer matters at this time of the traffic and removes its keys; keeps alive
   * the keys that still matter and would expire before {@code aliveUntilNanos}: the server counts
   * real time.
   */
  void sweep(long nowUs, long aliveUntilNanos, Pipeline pipeline) {
    List<byte[]> gone = new ArrayList<>(AT_ONCE);
    for (Iterator<Map.Entry<String, SubjectState>> all = live.entrySet().iterator();
        all.hasNext(); ) {
      Map.Entry<String, SubjectState> each = all.next();
      SubjectState state = each.getValue();
      if (state.isOver(nowUs)) {
        all.remove();
        forget(each.getKey(), state, gone);
      } else if (state.hasKey() && state.expiresNanos < aliveUntilNanos) {
        pipeline.pexpire(keys.key(each.getKey()), KEPT_ALIVE_MS);
        state.expiresNanos = System.nanoTime() + KEPT_ALIVE_MS * 1_000_000;
      }
      if (gone.size() == AT_ONCE) {
        unlink(gone, pipeline);
      }
    }
    unlink(gone, pipeline);
    if (times > MOST_TIMES) {
      group();
    }
  }

  private static void unlink(List<byte[]> gone, Pipeline pipeline) {
    if (!gone.isEmpty()) {
      pipeline.unlink(gone.toArray(byte[][]::new));
    }
    pipeline.sync();
    gone.clear();
  }

  private void forget(String subject, SubjectState state, List<byte[]> gone) {
    for (int tier = 0; tier < grainsUs.length; tier++) {
      times -= state.spans[tier].size();
    }
    if (state.hasKey()) {
      gone.add(keys.key(subject));
    }
  }

  /** Returns whether a sweep would be of use now, whatever the time. */
  boolean isCrowded() {
    return times > MOST_TIMES;
  }

  private void group() {
    times = 0;
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

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
