package io.github.penstock.simulator.tokens;

import io.github.penstock.simulator.model.ServerPipeline;
import io.github.penstock.simulator.traffic.LimitCandidate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;
import redis.clients.jedis.RedisClient;

/** Plays calls in all four ways. Not safe for use by several threads. */
public final class TokenComparison {
  private final RedisClient server;
  private final int threads;
  private final String prefix;
  private final LongAdder decisions = new LongAdder();
  private int plays;

  public TokenComparison(RedisClient server, int threads, String prefix) {
    this.server = server;
    this.threads = threads;
    this.prefix = prefix;
  }

  /** Returns how many decisions were made, by the model and by the scripts. */
  public long decisions() {
    return decisions.sum();
  }

  /** Built-in traffic under a limit, with each seed. */
  public List<TokenResult> scenario(List<TokenSetting> settings, LimitCandidate limit) {
    List<Play> wanted = new ArrayList<>();
    for (TokenSetting setting : settings) {
      List<List<TokenCall>> calls =
          LongStream.rangeClosed(1, TokenSetting.SEEDS).mapToObj(setting::calls).toList();
      wanted.addAll(ways(setting.title(), calls, limit));
    }
    return played(wanted);
  }

  /** The calls of a log under some limits. */
  public List<TokenResult> log(String title, List<TokenCall> calls, List<LimitCandidate> limits) {
    return played(
        limits.stream().flatMap(limit -> ways(title, List.of(calls), limit).stream()).toList());
  }

  private record Play(
      String traffic,
      LimitCandidate limit,
      ChargeWay way,
      List<List<TokenCall>> calls,
      int first) {}

  private List<Play> ways(String traffic, List<List<TokenCall>> calls, LimitCandidate limit) {
    List<Play> all = new ArrayList<>();
    for (ChargeWay way : ChargeWay.values()) {
      all.add(new Play(traffic, limit, way, calls, plays));
      plays += calls.size();
    }
    return all;
  }

  private List<TokenResult> played(List<Play> wanted) {
    ServerPipeline.load(server);
    ForkJoinPool pool = new ForkJoinPool(threads);
    try {
      return pool.submit(() -> wanted.parallelStream().map(this::result).toList()).join();
    } finally {
      pool.shutdownNow();
    }
  }

  private TokenResult result(Play each) {
    List<TokenStats> stats = new ArrayList<>();
    for (List<TokenCall> calls : each.calls) {
      CheckedModel model = new CheckedModel(server);
      String policy = "tokens-" + (each.first + stats.size());
      stats.add(new TokenPlay(each.limit, each.way, model, prefix, policy).play(calls));
      decisions.add(model.end());
    }
    return new TokenResult(each.traffic, each.limit, each.way, stats);
  }
}
