package io.github.penstock.benchmarks.plan;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.github.penstock.benchmarks.limiter.RedisClientType;
import io.github.penstock.benchmarks.limiter.TargetType;
import io.github.penstock.report.text.NumberText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Cases that take turns in one process, because they have client and number of threads in common.
 *
 * @param cases in the order of their turns
 */
public record CaseGroup(List<BenchmarkCase> cases) {
  /** Between two cases in a benchmark's parameter. */
  public static final String SEPARATOR = ";";

  /** The cases in groups, in the order of the first of each. */
  public static List<CaseGroup> of(List<BenchmarkCase> cases) {
    return cases.stream()
        .collect(groupingBy(CaseGroup::common, LinkedHashMap::new, toList()))
        .values()
        .stream()
        .map(CaseGroup::new)
        .toList();
  }

  /* The algorithm only of calls in flight, whose groups are small. */
  private static List<Object> common(BenchmarkCase what) {
    return what.question() == BenchmarkQuestion.ASYNC
        ? List.of(what.client(), what.threads(), what.algorithm())
        : List.of(what.client(), what.threads(), what.question().counted());
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

  /** Returns whether decisions are counted; else the time of each is sampled. */
  public boolean counted() {
    return cases.get(0).question().counted();
  }

  public int size() {
    return cases.size();
  }

  /** The benchmark's parameters in JMH. */
  public Map<String, String> parameters() {
    return asynchronous()
        ? Map.of(
            "client", client().name(),
            "algorithm", cases.get(0).algorithm().name(),
            "callee", joined(each -> TargetType.of(each.candidate())))
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
            : NumberText.count(threads(), "thread") + (counted() ? ", without trips" : "");
    return "%s, %s: %d by turns".formatted(client().title(), how, size());
  }
}
