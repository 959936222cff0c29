package io.github.penstock.compat.report;

import static java.util.stream.Collectors.joining;

import io.github.penstock.compat.suite.CaseResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * What follows from the results, in sentences that hold only as long as the figures do.
 *
 * @param results of all clients
 */
record Advice(Results results) {
  private static final long NOT_WORTH_TELLING_US = 250_000;

  List<String> sentences() {
    List<String> sentences = new ArrayList<>();
    sentences.add(charges());
    sentences.add(deadlines());
    sentences.add(honesty());
    sentences.add(recovery());
    sentences.add(choice());
    return sentences;
  }

  private String charges() {
    List<CaseResult> twice =
        results.all().stream()
            .filter(result -> result.mostCharges() != null && result.mostCharges() > 1)
            .toList();
    if (twice.isEmpty()) {
      return "No client charged a call twice, in any of these cases: that is no reason to prefer one.";
    }
    return "Some calls were charged more than once: "
        + twice.stream()
            .map(one -> "by %s when %s (%d)".formatted(one.client(), one.name(), one.mostCharges()))
            .collect(joining(", "))
        + ".";
  }

  private String deadlines() {
    List<String> late = new ArrayList<>();
    for (String client : results.clients()) {
      CaseResult worst = results.worst(client, Advice::overUs);
      if (overUs(worst) > NOT_WORTH_TELLING_US) {
        late.add("%s by up to %s (%s)".formatted(client, Millis.of(overUs(worst)), worst.name()));
      }
    }
    return late.isEmpty()
        ? "Each held its deadline to within %s, stalls of the machine aside."
            .formatted(Millis.of(NOT_WORTH_TELLING_US))
        : "Not every deadline was held, stalls of the machine aside: "
            + String.join(", ", late)
            + ".";
  }

  /* A call is handed from thread to thread at least twice; what the machine adds is not the client's. */
  private static long overUs(CaseResult result) {
    return result.slowestUs() - result.deadlineUs() - 2 * result.stallUs();
  }

  /** How many failures said "may have been charged" where no connection could be had. */
  private String honesty() {
    return results.clients().stream()
        .flatMap(client -> results.of(client, "connections refused").stream())
        .filter(result -> result.errors() > 0)
        .map(
            result ->
                "%s %d %%".formatted(result.client(), 100 * result.unknown() / result.errors()))
        .collect(
            joining(
                ", ",
                "With connections refused only what was under way can have been charged; the share of"
                    + " failures that had to say that they may have been was: ",
                "."));
  }

  private String recovery() {
    return results.clients().stream()
        .map(
            client -> {
              CaseResult worst = results.worst(client, CaseResult::recoveryUs);
              return "%s %s (%s)".formatted(client, Millis.of(worst.recoveryUs()), worst.name());
            })
        .collect(
            joining(
                ", ", "The longest time from the end of a fault to the last failed call: ", "."));
  }

  private String choice() {
    if (testedOnAll(results.blocking()).findAny().isEmpty()) {
      return "None was tested in every case, so none is preferred here.";
    }
    String back = least(CaseResult::recoveryUs);
    String inTime = least(Advice::overUs);
    String best =
        back.equals(inTime)
            ? "%s was back soonest and held its deadline best".formatted(back)
            : "%s was back soonest, %s held its deadline best".formatted(back, inTime);
    return "**So take the client that your application has already;** if it has none, "
        + best
        + ".";
  }

  private static Stream<String> testedOnAll(Results results) {
    return results.clients().stream()
        .filter(
            client ->
                results.cases().stream().allMatch(name -> results.of(client, name).isPresent()));
  }

  private String least(ToLongFunction<CaseResult> measure) {
    Results blocking = results.blocking();
    return testedOnAll(blocking)
        .min(
            Comparator.comparingLong(
                client -> measure.applyAsLong(blocking.worst(client, measure))))
        .orElseThrow();
  }
}
