package io.github.penstock.benchmarks.bench;

import io.github.penstock.benchmarks.jmh.AsyncBenchmark;
import io.github.penstock.benchmarks.jmh.Client;
import io.github.penstock.benchmarks.jmh.TurnsBenchmark;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Cases that take turns in one process, because they have client and number of threads in common.
 *
 * @param cases in the order of their turns
 */
record Group(List<Case> cases) {
  private record Common(Client client, int threads, String asynchronous) {
    static Common of(Case what) {
      boolean asynchronous = what.question() == Question.ASYNC;
      String which = asynchronous ? what.parameters().get("algorithm") : "";
      return new Common(what.client(), what.threads(), which);
    }
  }

  /** The cases in groups, in the order of the first of each. */
  static List<Group> of(List<Case> cases) {
    Map<Common, List<Case>> groups = new LinkedHashMap<>();
    for (Case each : cases) {
      groups.computeIfAbsent(Common.of(each), common -> new ArrayList<>()).add(each);
    }
    return groups.values().stream().map(Group::new).toList();
  }

  /** Each case in a group of its own. */
  List<Group> alone() {
    return cases.stream().map(each -> new Group(List.of(each))).toList();
  }

  Client client() {
    return cases.get(0).client();
  }

  int threads() {
    return cases.get(0).threads();
  }

  boolean asynchronous() {
    return cases.get(0).question() == Question.ASYNC;
  }

  /** In which they have their turns. */
  Class<?> benchmark() {
    return asynchronous() ? AsyncBenchmark.class : TurnsBenchmark.class;
  }

  /** How many take turns. */
  int size() {
    return cases.size();
  }

  /** As {@link TurnsBenchmark#turns} wants it. */
  String turns() {
    return cases.stream()
        .map(each -> each.turn().toString())
        .collect(Collectors.joining(TurnsBenchmark.SEPARATOR));
  }

  /** As {@link AsyncBenchmark#callee} wants it. */
  String callees() {
    return cases.stream()
        .map(each -> each.parameters().get("callee"))
        .collect(Collectors.joining(TurnsBenchmark.SEPARATOR));
  }

  /** What a person reads while it runs. */
  String label() {
    String how =
        asynchronous()
            ? cases.get(0).what() + ", 256 in flight"
            : threads() + (threads() == 1 ? " thread" : " threads");
    return "%s, %s: %d by turns".formatted(client().title(), how, size());
  }
}
