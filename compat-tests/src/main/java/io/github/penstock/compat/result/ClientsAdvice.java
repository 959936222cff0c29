package io.github.penstock.compat.result;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.List;

/**
 * The sentences that decide which client to take; each is worked out from all figures.
 *
 * @param results of all clients
 */
record ClientsAdvice(ClientResults results) {
  private static final long NOISE_US = 250_000;

  List<String> sentences() {
    return List.of(charges(), deadlines(), choice());
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
      CaseResult worst = results.worst(client, ClientsAdvice::overUs);
      if (overUs(worst) > NOISE_US) {
        late.add(
            "%s by up to %s (%s)".formatted(client, MillisText.of(overUs(worst)), worst.name()));
      }
    }
    return late.isEmpty()
        ? "Each held its deadline to within %s, stalls of the machine aside."
            .formatted(MillisText.of(NOISE_US))
        : "Not every deadline was held, stalls of the machine aside: "
            + String.join(", ", late)
            + ".";
  }

  /* A call is handed from thread to thread at least twice; what the machine adds is not the client's. */
  private static long overUs(CaseResult result) {
    return result.slowestUs() - result.deadlineUs() - 2 * result.stallUs();
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

  private static List<String> testedOnAll(ClientResults results) {
    return results.clients().stream()
        .filter(
            client ->
                results.cases().stream().allMatch(name -> results.of(client, name).isPresent()))
        .toList();
  }

  /** Who was back first after its worst case, if that is worth telling. */
  private String soonest(List<String> clients) {
    long least = clients.stream().mapToLong(this::longestRecoveryUs).min().orElse(0);
    List<String> first =
        clients.stream().filter(each -> longestRecoveryUs(each) - least < NOISE_US).toList();
    String how =
        first.size() == 1 ? ", which was back soonest" : ", which were back about equally soon";
    return String.join(" or ", first) + (clients.size() == 1 ? "" : how);
  }

  private long longestRecoveryUs(String client) {
    return results.worst(client, CaseResult::recoveryUs).recoveryUs();
  }
}
