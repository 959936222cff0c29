package io.github.penstock.benchmarks.bench;

import io.github.penstock.benchmarks.jmh.Algorithm;
import io.github.penstock.benchmarks.jmh.Client;
import io.github.penstock.benchmarks.jmh.Contender;
import io.github.penstock.benchmarks.jmh.Decider;
import io.github.penstock.benchmarks.jmh.Deciders;
import io.github.penstock.benchmarks.jmh.Session;
import io.github.penstock.benchmarks.jmh.Target;
import io.github.penstock.benchmarks.jmh.Workload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;

/**
 * A limiter whose use of the server is measured.
 *
 * @param what its name for people
 * @param client through which client
 * @param workload who asks
 * @param maker makes it
 * @param getsOfScripts as {@link ServerStats#commandMicros} wants it
 */
record ServerCase(
    String what,
    Client client,
    Workload workload,
    BiFunction<Session, Target, Decider> maker,
    int getsOfScripts) {

  /* No script of these makes fewer, so none of their GETs is taken for one by itself. */
  private static final int ALL_GETS = 1_000;

  /**
   * What is measured. The quick profile takes one client for each limiter, because the server
   * hardly sees which it is.
   */
  static List<ServerCase> of(Profile profile, List<Client> clients) {
    List<ServerCase> cases = new ArrayList<>();
    for (Workload workload : List.of(Workload.ALLOWED, Workload.EXHAUSTED, Workload.HOT)) {
      for (Client client : clients) {
        boolean first = client == clients.get(0) || profile == Profile.FULL;
        algorithms(cases, client, workload, first && workload != Workload.HOT);
        peers(cases, client, workload, first);
      }
    }
    return cases;
  }

  private static void algorithms(
      List<ServerCase> cases, Client client, Workload workload, boolean all) {
    boolean compared = all || client == Client.REDISSON || workload == Workload.HOT;
    Arrays.stream(Algorithm.values())
        .filter(algorithm -> all || (compared && algorithm == Algorithm.TOKEN_BUCKET))
        .map(
            algorithm ->
                new ServerCase(
                    Case.title(algorithm),
                    client,
                    workload,
                    (session, target) ->
                        Deciders.penstock(session.limiters(), algorithm, workload, 1),
                    ALL_GETS))
        .forEach(cases::add);
  }

  private static void peers(List<ServerCase> cases, Client client, Workload workload, boolean all) {
    Arrays.stream(Contender.values())
        .filter(contender -> contender != Contender.PENSTOCK)
        .filter(contender -> contender.cannot(client).isEmpty())
        .filter(contender -> all || contender == Contender.RRATE_LIMITER)
        .map(
            contender ->
                new ServerCase(
                    contender.title(),
                    client,
                    workload,
                    (session, target) -> contender.on(session, target, workload),
                    contender == Contender.BUCKET4J ? 1 : ALL_GETS))
        .forEach(cases::add);
  }
}
