package io.github.penstock.compat.result;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * The results of several clients.
 *
 * @param all in any order
 */
record ClientResults(List<CaseResult> all) {
  private static final List<String> ORDER =
      List.of(
          "replies dropped after execution",
          "one connection cut after execution",
          "connections cut after execution",
          "replies later than the deadline",
          "nothing passes",
          "old connections silent for good",
          "connections refused",
          "server stopped for 5 s",
          "server stopped for 3 s, pool exhausted",
          "server restarted",
          "primary killed",
          "slot moved 6 times");

  /** Copies the list. */
  ClientResults {
    all = List.copyOf(all);
  }

  static ClientResults read(List<Path> files) {
    List<CaseResult> all = new ArrayList<>();
    files.forEach(file -> all.addAll(CaseResultFile.read(file, CaseResult.class)));
    if (all.isEmpty()) {
      throw new IllegalArgumentException("files must hold at least one result: " + files);
    }
    return new ClientResults(all);
  }

  /** Those of blocking calls. */
  ClientResults blocking() {
    return new ClientResults(all.stream().filter(result -> !result.isAsynchronous()).toList());
  }

  /** Those of asynchronous calls. */
  ClientResults asynchronous() {
    return new ClientResults(all.stream().filter(CaseResult::isAsynchronous).toList());
  }

  /** Names and versions, in the order of the alphabet. */
  List<String> clients() {
    return all.stream().map(CaseResult::client).distinct().sorted().toList();
  }

  /** The causes of the cases, those known to this class first. */
  List<String> cases() {
    Stream<String> known =
        ORDER.stream().filter(name -> all.stream().anyMatch(one -> one.cause().equals(name)));
    Stream<String> others = all.stream().map(CaseResult::cause).sorted();
    return Stream.concat(known, others).distinct().toList();
  }

  Optional<CaseResult> of(String client, String cause) {
    return all.stream()
        .filter(result -> result.client().equals(client) && result.cause().equals(cause))
        .findFirst();
  }

  /** The result of a client with the most of something. */
  CaseResult worst(String client, ToLongFunction<CaseResult> measure) {
    return all.stream()
        .filter(result -> result.client().equals(client))
        .max(Comparator.comparingLong(measure))
        .orElseThrow();
  }
}
