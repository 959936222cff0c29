package io.github.penstock.benchmarks.bench;

import io.github.penstock.benchmarks.jmh.Client;
import io.github.penstock.benchmarks.jmh.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** What was measured so far. Of clients one thread may tell while another reads. */
final class Results {
  private final List<ScriptCost> scripts = new ArrayList<>();
  private final List<ServerUse> server = new ArrayList<>();
  private final List<GrowthPoint> growth = new ArrayList<>();
  private final List<Measured> clients = new CopyOnWriteArrayList<>();

  /** Whether nothing was measured yet. */
  boolean isEmpty() {
    return scripts.isEmpty() && server.isEmpty() && growth.isEmpty() && clients.isEmpty();
  }

  void add(ScriptCost cost) {
    scripts.add(cost);
  }

  void add(ServerUse use) {
    server.add(use);
  }

  void add(GrowthPoint point) {
    growth.add(point);
  }

  /** Adds a case, or replaces what was known of it. */
  void put(Measured measured) {
    clients.replaceAll(known -> known.sameCase(measured) ? measured : known);
    if (!clients.contains(measured)) {
      clients.add(measured);
    }
  }

  List<ScriptCost> scripts() {
    return scripts;
  }

  List<ServerUse> server() {
    return server;
  }

  List<GrowthPoint> growth() {
    return growth;
  }

  List<Measured> clients() {
    return clients;
  }

  /** The case of one tier that has a figure. */
  Optional<Measured> find(
      Question question, String what, Client client, Workload workload, int threads) {
    return clients.stream()
        .filter(Measured::present)
        .filter(m -> m.question() == question && m.what().equals(what) && m.tiers() == 1)
        .filter(m -> m.client().equals(client.title()) && m.threads() == threads)
        .filter(m -> m.workload().equals(workload.name()))
        .findFirst();
  }

  /** The cost of a script that was measured. */
  Optional<ScriptCost> script(String what, String form, int tiers, boolean allowed) {
    return scripts.stream()
        .filter(cost -> cost.what().equals(what) && cost.form().equals(form))
        .filter(cost -> cost.tiers() == tiers && cost.allowed() == allowed)
        .findFirst();
  }

  /** What a limiter used of the server. */
  Optional<ServerUse> use(String what, Client client, Workload workload) {
    return server.stream()
        .filter(use -> use.problem() == null && use.what().equals(what))
        .filter(use -> use.client().equals(client.title()))
        .filter(use -> use.workload().equals(workload.name()))
        .findFirst();
  }
}
