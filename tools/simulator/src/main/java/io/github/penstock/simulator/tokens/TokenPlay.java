package io.github.penstock.simulator.tokens;

import static io.github.penstock.testkit.reservation.ReservationModel.RESERVE;
import static io.github.penstock.testkit.reservation.ReservationModel.SETTLE;

import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.internal.protocol.KeyFormat;
import io.github.penstock.core.internal.protocol.LimitEncoding;
import io.github.penstock.core.limit.LimitTier;
import io.github.penstock.report.console.OrderlyStop;
import io.github.penstock.simulator.stats.WaitHistogram;
import io.github.penstock.simulator.traffic.LimitCandidate;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;

/**
 * Plays calls in one way under one limit, on separate keys. Not safe for use by several threads.
 */
final class TokenPlay {
  private static final int NATIVE_WAIT = 3;
  private static final long NEVER = -1;
  private static final long MINUTE_US = 60_000_000;
  private final LimitEncoding encoding;
  private final LimitTier tier;
  private final ChargeWay way;
  private final CheckedModel model;
  private final String policy;
  private final RateLimiterOptions options;
  private final KeyFormat keys;
  private final Queue<Running> running =
      new PriorityQueue<>(
          Comparator.comparingLong((Running each) -> each.call.endUs())
              .thenComparingLong(Running::number));
  private final Map<String, List<TokenCall>> allowed = new HashMap<>();
  private final WaitHistogram waits = new WaitHistogram();
  private long keepUs;
  private long denied;
  private long never;

  TokenPlay(LimitCandidate limit, ChargeWay way, CheckedModel model, String prefix, String policy) {
    this.encoding = LimitEncoding.of(limit.limit());
    this.tier = limit.limit().tiers().get(0);
    this.way = way;
    this.model = model;
    this.policy = policy;
    this.options = RateLimiterOptions.builder().prefix(prefix).build();
    this.keys = new KeyFormat(options.keyPrefix(policy), (holds() ? "r" : "") + encoding.marker());
  }

  /* A call that runs. */
  private record Running(TokenCall call, long number) {}

  private boolean holds() {
    return way == ChargeWay.RESERVED || way == ChargeWay.AFTERWARDS;
  }

  /** Plays calls in the order of their times, at least one. */
  TokenStats play(List<TokenCall> calls) {
    long longestUs = calls.stream().mapToLong(TokenCall::durationUs).max().orElseThrow();
    keepUs = (longestUs / MINUTE_US + 2) * MINUTE_US;
    for (int i = 0; i < calls.size(); i++) {
      OrderlyStop.check();
      TokenCall call = calls.get(i);
      end(call.timeUs());
      begin(call, i);
    }
    end(Long.MAX_VALUE);
    return stats(calls);
  }

  private void end(long byUs) {
    for (Running next = running.peek();
        next != null && next.call.endUs() <= byUs;
        next = running.peek()) {
      end(running.remove());
    }
  }

  private void begin(TokenCall call, long number) {
    long waitUs = holds() ? reserve(call, number) : charge(call, call.estimated(), call.timeUs());
    if (waitUs == 0) {
      running.add(new Running(call, number));
      allowed.computeIfAbsent(call.subject(), subject -> new ArrayList<>()).add(call);
      return;
    }
    denied++;
    if (waitUs == NEVER) {
      never++;
    } else {
      waits.add(waitUs);
    }
  }

  private void end(Running ended) {
    TokenCall call = ended.call;
    if (way == ChargeWay.REFUND && call.used() != call.estimated()) {
      charge(call, call.used() - call.estimated(), call.endUs());
    }
    if (holds()) {
      settle(call, ended.number);
    }
  }

  /* Charged afterwards is a reservation of one unit: it begins if that fits, and pays at its end. */
  private long reserve(TokenCall call, long number) {
    long cost = way == ChargeWay.AFTERWARDS ? 1 : call.estimated();
    List<String> arguments = new ArrayList<>(List.of("" + keepUs, "" + call.timeUs()));
    arguments.addAll(List.of("reserve", encoding.script().scriptName(), "" + cost));
    arguments.add("" + encoding.arguments().size() / encoding.script().tier().size());
    arguments.addAll(encoding.arguments());
    List<Long> reply = model.call(RESERVE, keys(call, number), arguments);
    return reply.get(0) == 1 ? 0 : reply.get(1);
  }

  private void settle(TokenCall call, long number) {
    List<String> on = keys(call, number);
    List<Long> reply = model.call(SETTLE, on, List.of("0", "" + call.endUs(), "" + call.used()));
    if (reply.get(0) != 1) {
      throw new IllegalStateException("a reservation ran out before its call ended: " + call);
    }
    model.forget(on.get(1));
  }

  /* Returns its wait; 0 if it was charged. */
  private long charge(TokenCall call, long cost, long nowUs) {
    List<String> arguments = new ArrayList<>(List.of("" + cost));
    arguments.addAll(encoding.arguments());
    arguments.add("" + nowUs);
    List<Long> reply =
        model.call(
            encoding.script().scriptName(), List.of(text(keys.key(call.subject()))), arguments);
    return reply.get(0) == 1 ? 0 : reply.get(NATIVE_WAIT);
  }

  private List<String> keys(TokenCall call, long number) {
    KeyFormat receipt = new KeyFormat(options.prefix() + ":", policy + "-" + number);
    return List.of(text(keys.key(call.subject())), text(receipt.key(call.subject())));
  }

  private static String text(byte[] key) {
    return new String(key, StandardCharsets.ISO_8859_1);
  }

  private TokenStats stats(List<TokenCall> calls) {
    Map<String, Long> wanted = new HashMap<>();
    calls.forEach(call -> wanted.merge(call.subject(), call.used(), Long::sum));
    String busiest =
        wanted.entrySet().stream()
            .max(Map.Entry.<String, Long>comparingByValue().thenComparing(Map.Entry::getKey))
            .orElseThrow()
            .getKey();
    long fromUs = calls.get(0).timeUs();
    long toUs = Math.max(calls.get(calls.size() - 1).timeUs(), fromUs + tier.periodMicros());
    return new TokenStats(
        calls.size(),
        denied,
        never,
        calls.stream().mapToLong(TokenCall::used).sum(),
        allowed.values().stream().flatMap(List::stream).mapToLong(TokenCall::used).sum(),
        allowed.values().stream()
            .mapToLong(each -> new SpreadUsage(each).most(tier.periodMicros()))
            .max()
            .orElse(0),
        new SpreadUsage(allowed.getOrDefault(busiest, List.of())).between(fromUs, toUs),
        (double) tier.units() * (toUs - fromUs) / tier.periodMicros(),
        waits);
  }
}
