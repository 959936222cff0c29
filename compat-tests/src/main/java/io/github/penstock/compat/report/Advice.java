package io.github.penstock.compat.report;

import static java.util.stream.Collectors.joining;

import io.github.penstock.compat.suite.CaseResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What follows from the results, in sentences that hold only as long as the figures do.
 *
 * @param results of all clients
 */
record Advice(Results results) {
  private static final long NOT_WORTH_TELLING_US = 250_000;

  List<String> sentences() {
    return Stream.of(charges(), deadlines(), losses(), honesty(), recovery(), choice())
        .filter(sentence -> !sentence.isEmpty())
        .toList();
  }

  private String charges() {
    List<CaseResult> twice =
        results.all().stream()
            .filter(result -> result.mostCharges() != null && result.mostCharges() > 1)
            .toList();
    if (twice.isEmpty()) {
      return "No client charged a call twice, in any of these cases: that is no reason to prefer"
          + " one.";
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

  /** What one lost connection costs, and by when its callers have heard of it. */
  private String losses() {
    return told(
        "one connection cut after execution",
        "One lost connection made this many calls fail: ",
        result ->
            "%,d of %s (slowest %s)"
                .formatted(result.errors(), result.client(), Millis.of(result.slowestUs())));
  }

  /** How many failures said "may have been charged" where no connection could be had. */
  private String honesty() {
    return told(
        "connections refused",
        "With connections refused, this share of the failed calls had to say that they may have"
            + " been charged, and the others are known not to have been: ",
        result -> "%s %d %%".formatted(result.client(), 100 * result.unknown() / result.errors()));
  }

  private String told(String name, String beginning, Function<CaseResult, String> figures) {
    List<String> told =
        results.clients().stream()
            .flatMap(client -> results.of(client, name).stream())
            .filter(result -> result.errors() > 0)
            .map(figures)
            .toList();
    return told.isEmpty() ? "" : beginning + String.join(", ", told) + ".";
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
    List<String> all = testedOnAll(results.blocking());
    if (all.isEmpty()) {
      return "None was tested in every case, so none is preferred here.";
    }
    List<String> asynchronous =
        testedOnAll(results.asynchronous()).stream().filter(all::contains).toList();
    String choice =
        "**So take the client that your application has already.** If it has none, take "
            + soonest(all);
    return asynchronous.isEmpty() || asynchronous.equals(all)
        ? choice + "."
        : choice + "; for asynchronous calls, " + soonest(asynchronous) + ".";
  }

  private static List<String> testedOnAll(Results results) {
    return results.clients().stream()
        .filter(
            client ->
                results.cases().stream().allMatch(name -> results.of(client, name).isPresent()))
        .toList();
  }

  /** Who was back first after its worst case, if that is worth telling. */
  private String soonest(List<String> clients) {
    List<String> order =
        clients.stream().sorted(Comparator.comparingLong(this::longestRecoveryUs)).toList();
    if (order.size() == 1) {
      return order.get(0);
    }
    long lead = longestRecoveryUs(order.get(1)) - longestRecoveryUs(order.get(0));
    return lead < NOT_WORTH_TELLING_US
        ? "%s or %s, which were back about equally soon".formatted(order.get(0), order.get(1))
        : "%s, which was back soonest".formatted(order.get(0));
  }

  private long longestRecoveryUs(String client) {
    return results.worst(client, CaseResult::recoveryUs).recoveryUs();
  }
}
