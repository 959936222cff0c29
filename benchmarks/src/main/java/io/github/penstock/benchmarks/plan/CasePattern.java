package io.github.penstock.benchmarks.plan;

import io.github.penstock.benchmarks.limiter.BenchmarkCandidate;
import io.github.penstock.benchmarks.limiter.RedisClientType;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.apache.commons.io.IOUtils;
import org.apache.commons.io.function.Uncheck;

/**
 * A line of {@code cases.txt}: the cases of a profile that differ in the parts that have several
 * values.
 *
 * @param profile whose they are, or {@code BOTH}
 * @param parts of their names; each has one value or several, or is {@code *}
 */
record CasePattern(String profile, List<List<String>> parts) {
  private static final String ALL = "*";
  private static final int WHAT = 3;

  static List<CasePattern> all() {
    String path = "/io/github/penstock/benchmarks/plan/cases.txt";
    return Uncheck.get(() -> IOUtils.resourceToString(path, StandardCharsets.UTF_8))
        .lines()
        .filter(line -> !line.isEmpty() && !line.startsWith("#"))
        .map(line -> line.split(" "))
        .map(
            words ->
                new CasePattern(
                    words[0],
                    Stream.of(words[1].split("/")).map(part -> List.of(part.split(","))).toList()))
        .toList();
  }

  /** Those of a profile through a client, the last part first. */
  Stream<BenchmarkCase> cases(BenchmarkProfile of, RedisClientType client) {
    BenchmarkQuestion question = BenchmarkQuestion.of(parts.get(2).get(0));
    boolean known = profile.equals("BOTH") || profile.equals(of.name());
    boolean can = client.asynchronous() || question != BenchmarkQuestion.ASYNC;
    if (!known || !can || !values(0, List.of(client.name())).contains(client.name())) {
      return Stream.empty();
    }
    List<String> whats =
        values(WHAT, question.all(client).stream().map(BenchmarkCandidate::name).toList());
    return parts.get(1).stream()
        .flatMap(
            threads ->
                Stream.of(parts.get(2), whats, parts.get(4), parts.get(5))
                    .reduce(CasePattern::product)
                    .orElseThrow()
                    .stream()
                    .map(name -> BenchmarkCase.parse(name, client, Integer.parseInt(threads))));
  }

  private List<String> values(int part, List<String> all) {
    return parts.get(part).equals(List.of(ALL)) ? all : parts.get(part);
  }

  private static List<String> product(List<String> begins, List<String> ends) {
    return begins.stream().flatMap(begin -> ends.stream().map(end -> begin + "/" + end)).toList();
  }
}
