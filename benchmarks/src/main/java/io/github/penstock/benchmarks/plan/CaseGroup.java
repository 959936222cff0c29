package io.github.penstock.benchmarks.plan;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.github.penstock.benchmarks.limiter.CallsInFlight;
import io.github.penstock.benchmarks.limiter.RedisClientType;
import io.github.penstock.report.text.NumberText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Cases that are interleaved in one process, because they have client and number of threads in
 * common.
 *
 * @param cases in their order in a round
 */
public record CaseGroup(List<BenchmarkCase> cases) {
  /** Between two cases in a benchmark's parameter. */
  public static final String SEPARATOR = ";";

  /** The cases in groups, in the order of the first of each. */
  public static List<CaseGroup> of(List<BenchmarkCase> cases) {
    return cases.stream()
        .collect(
            groupingBy(
                each -> List.of(each.client(), each.threads(), each.question().counted()),
                LinkedHashMap::new,
                toList()))
        .values()
        .stream()
        .map(CaseGroup::new)
        .toList();
  }

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

  /** Returns whether decisions are counted; else the time of each is sampled. */
  public boolean counted() {
    return cases.get(0).question().counted();
  }

  public int size() {
    return cases.size();
  }

  /** Their short names, as the benchmark's parameter. */
  public String names() {
    return cases.stream().map(BenchmarkCase::shortName).collect(Collectors.joining(SEPARATOR));
  }

  /** Its name for people while it runs. */
  public String label() {
    String how =
        asynchronous()
            ? CallsInFlight.MOST + " calls in flight"
            : NumberText.count(threads(), "thread") + (counted() ? ", without trips" : "");
    return "%s, %s: %d interleaved".formatted(client().title(), how, size());
  }
}
