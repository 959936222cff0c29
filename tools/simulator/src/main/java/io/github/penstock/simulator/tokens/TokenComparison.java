package io.github.penstock.simulator.tokens;

import io.github.penstock.simulator.traffic.LimitCandidate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.LongStream;
import redis.clients.jedis.RedisClient;

/** Plays calls in all four ways. Not safe for use by several threads. */
public final class TokenComparison {
  private final RedisClient server;
  private final int threads;
  private final String prefix;
  private long decisions;
  private int plays;

  /** On a server, on keys under a prefix. */
  public TokenComparison(RedisClient server, int threads, String prefix) {
    this.server = server;
    this.threads = threads;
    this.prefix = prefix;
  }

  /** Returns how many decisions were made, by the model and by the scripts. */
  public long decisions() {
    return decisions;
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
      String traffic, LimitCandidate limit, ChargeWay way, List<List<TokenCall>> calls) {}

  private static List<Play> ways(
      String traffic, List<List<TokenCall>> calls, LimitCandidate limit) {
    return Arrays.stream(ChargeWay.values())
        .map(way -> new Play(traffic, limit, way, calls))
        .toList();
  }

  private List<TokenResult> played(List<Play> wanted) {
    CheckedModel.load(server);
    ExecutorService workers = Executors.newFixedThreadPool(threads, TokenComparison::thread);
    try {
      List<List<CompletableFuture<TokenStats>>> playing = new ArrayList<>();
      for (Play each : wanted) {
        playing.add(
            each.calls.stream()
                .map(
                    calls -> {
                      String policy = "tokens-" + plays++;
                      return CompletableFuture.supplyAsync(
                          () -> play(each, calls, policy), workers);
                    })
                .toList());
      }
      List<TokenResult> results = new ArrayList<>();
      for (int i = 0; i < wanted.size(); i++) {
        Play each = wanted.get(i);
        List<TokenStats> stats = playing.get(i).stream().map(TokenComparison::await).toList();
        results.add(new TokenResult(each.traffic, each.limit, each.way, stats));
      }
      return results;
    } finally {
      workers.shutdownNow();
    }
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "tokens");
    thread.setDaemon(true);
    return thread;
  }

  private static TokenStats await(CompletableFuture<TokenStats> playing) {
    try {
      return playing.join();
    } catch (CompletionException failed) {
      throw failed.getCause() instanceof RuntimeException failure ? failure : failed;
    }
  }

  private TokenStats play(Play each, List<TokenCall> calls, String policy) {
    try (CheckedModel model = new CheckedModel(server)) {
      TokenStats stats = new TokenPlay(each.limit, each.way, model, prefix, policy).play(calls);
      long made = model.end();
      synchronized (this) {
        decisions += made;
      }
      return stats;
    }
  }
}
