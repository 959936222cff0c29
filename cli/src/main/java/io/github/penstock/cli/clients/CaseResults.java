package io.github.penstock.cli.clients;

import io.github.penstock.compat.result.CaseResult;
import io.github.penstock.compat.result.CaseResultFile;
import io.github.penstock.compat.result.FaultCase;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The results of several clients.
 *
 * @param all in any order
 */
record CaseResults(List<CaseResult> all) {
  /** Copies the list. */
  CaseResults {
    all = List.copyOf(all);
  }

  static CaseResults read(List<Path> files) {
    List<CaseResult> all = new ArrayList<>();
    files.forEach(file -> all.addAll(CaseResultFile.read(file, CaseResult.class)));
    if (all.isEmpty()) {
      throw new IllegalArgumentException("files must hold at least one result: " + files);
    }
    return new CaseResults(all);
  }

  /** Those of blocking calls. */
  CaseResults blocking() {
    return new CaseResults(all.stream().filter(result -> !result.asynchronous()).toList());
  }

  /** Those of asynchronous calls. */
  CaseResults asynchronous() {
    return new CaseResults(all.stream().filter(CaseResult::asynchronous).toList());
  }

  /** Names and versions, in the order of the alphabet. */
  List<String> clients() {
    return all.stream().map(CaseResult::client).distinct().sorted().toList();
  }

  /** The faults in them, in the order of the page. */
  List<FaultCase> faults() {
    return all.stream().map(CaseResult::fault).distinct().sorted().toList();
  }

  Optional<CaseResult> of(String client, FaultCase fault) {
    return all.stream()
        .filter(result -> result.client().equals(client) && result.fault() == fault)
        .findFirst();
  }

  /** The longest recovery of a client, in microseconds. */
  long longestRecoveryUs(String client) {
    return all.stream()
        .filter(result -> result.client().equals(client))
        .mapToLong(CaseResult::recoveryUs)
        .max()
        .orElse(0);
  }
}
