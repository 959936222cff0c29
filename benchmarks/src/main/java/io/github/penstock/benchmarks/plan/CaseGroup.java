package io.github.penstock.benchmarks.plan;

import io.github.penstock.benchmarks.limiter.CalleeType;
import io.github.penstock.benchmarks.limiter.PenstockAlgorithm;
import io.github.penstock.benchmarks.limiter.RedisClientType;
import io.github.penstock.report.text.NumberText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Cases that take turns in one process, because they have client and number of threads in common.
 *
 * @param cases in the order of their turns
 */
public record CaseGroup(List<BenchmarkCase> cases) {
  /** Between two cases in a benchmark's parameter. */
  public static final String SEPARATOR = ";";

  /* The algorithm only of calls in flight, whose groups are small. */
  private record Common(
      RedisClientType client, int threads, @Nullable PenstockAlgorithm algorithm) {
    static Common of(BenchmarkCase what) {
      boolean asynchronous = what.question() == BenchmarkQuestion.ASYNC;
      return new Common(what.client(), what.threads(), asynchronous ? what.algorithm() : null);
    }
  }

  /** The cases in groups, in the order of the first of each. */
  public static List<CaseGroup> of(List<BenchmarkCase> cases) {
    Map<Common, List<BenchmarkCase>> groups = new LinkedHashMap<>();
    for (BenchmarkCase each : cases) {
      groups.computeIfAbsent(Common.of(each), common -> new ArrayList<>()).add(each);
    }
    return groups.values().stream().map(CaseGroup::new).toList();
  }

  /** Each case in a group of its own. */
  public List<CaseGroup> alone() {
    return cases.stream().map(each -> new CaseGroup(List.of(each))).toList();
  }

  public RedisClientType client() {
    return cases.get(0).client();
  }

  public int threads() {
    return cases.get(0).threads();
  }

  public boolean asynchronous() {
    return cases.get(0).question() == BenchmarkQuestion.ASYNC;
  }

  /** The simple name of the benchmark in which they have their turns. */
  public String benchmark() {
    return asynchronous() ? BenchmarkQuestion.ASYNC.benchmark() : "InterleavedBenchmark";
  }

  /** How many take turns. */
  public int size() {
    return cases.size();
  }

  /** The benchmark's parameters in JMH. */
  public Map<String, String> parameters() {
    return asynchronous()
        ? Map.of(
            "client", client().name(),
            "algorithm", cases.get(0).algorithm().name(),
            "callee", joined(each -> CalleeType.of(each.candidate())))
        : Map.of("client", client().name(), "turns", joined(BenchmarkCase::turn));
  }

  private String joined(Function<BenchmarkCase, Object> text) {
    return cases.stream()
        .map(each -> text.apply(each).toString())
        .collect(Collectors.joining(SEPARATOR));
  }

  /** Its name for people while it runs. */
  public String label() {
    String how =
        asynchronous()
            ? cases.get(0).candidate().title() + ", 256 in flight"
            : NumberText.count(threads(), "thread");
    return "%s, %s: %d by turns".formatted(client().title(), how, size());
  }
}
