package io.github.penstock.cli.clients;

import io.github.penstock.compat.result.CaseResult;
import java.util.List;

/**
 * The sentence that decides which client to take, worked out from all figures.
 *
 * @param results of all clients
 */
record ClientsAdvice(CaseResults results) {
  private static final long NOISE_US = 250_000;

  /** The choice of a client: the fastest to recover wins, because all are exact. */
  String sentence() {
    List<String> all = exact(results.blocking());
    if (all.isEmpty()) {
      return "None was tested in every case without charging a call twice, so none is preferred here.";
    }
    List<String> asynchronous =
        exact(results.asynchronous()).stream().filter(all::contains).toList();
    String choice =
        "**Take the client that your application has already.** If it has none, take "
            + soonest(all);
    return asynchronous.isEmpty() || asynchronous.equals(all)
        ? choice + "."
        : choice + "; for asynchronous calls, " + soonest(asynchronous) + ".";
  }

  /** Those that were tested in every case and charged no call twice. */
  private static List<String> exact(CaseResults results) {
    return results.clients().stream()
        .filter(
            client ->
                results.faults().stream()
                    .allMatch(
                        fault ->
                            results.of(client, fault).filter(ClientsAdvice::isExact).isPresent()))
        .toList();
  }

  private static boolean isExact(CaseResult result) {
    return result.mostCharges() == null || result.mostCharges() <= 1;
  }

  /** Who was back first after its worst case, if that is worth telling. */
  private String soonest(List<String> clients) {
    long least = clients.stream().mapToLong(results::longestRecoveryUs).min().orElse(0);
    List<String> first =
        clients.stream()
            .filter(each -> results.longestRecoveryUs(each) - least < NOISE_US)
            .toList();
    String how =
        first.size() == 1 ? ", which recovered fastest" : ", which recovered about equally fast";
    return String.join(" or ", first) + (clients.size() == 1 ? "" : how);
  }
}
