package io.github.penstock.benchmarks.result;

import io.github.penstock.benchmarks.limiter.BenchmarkCandidate;
import io.github.penstock.benchmarks.limiter.FloorCall;
import io.github.penstock.benchmarks.limiter.PenstockAlgorithm;
import io.github.penstock.benchmarks.limiter.RedisClientType;
import io.github.penstock.benchmarks.limiter.SubjectWorkload;
import io.github.penstock.benchmarks.limiter.TripSaving;
import io.github.penstock.benchmarks.plan.BenchmarkCase;
import io.github.penstock.benchmarks.plan.BenchmarkQuestion;
import io.github.penstock.benchmarks.plan.ReservationCase;
import io.github.penstock.benchmarks.plan.ServerCase;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** All figures until now. One thread may put those of clients while another reads them. */
public final class BenchmarkResults {
  private final List<ScriptCost> scripts = new ArrayList<>();
  private final Map<ReservationCase, Double> reservations = new EnumMap<>(ReservationCase.class);
  private final List<ServerUse> server = new ArrayList<>();
  private final List<MeasuredCase> clients = new CopyOnWriteArrayList<>();

  public boolean isEmpty() {
    return reservations.isEmpty() && Stream.of(scripts, server, clients).allMatch(List::isEmpty);
  }

  /** Adds a case, or replaces its earlier result. */
  public void put(MeasuredCase measured) {
    clients.replaceAll(known -> known.what().equals(measured.what()) ? measured : known);
    if (!clients.contains(measured)) {
      clients.add(measured);
    }
  }

  public List<ScriptCost> scripts() {
    return scripts;
  }

  /** Microseconds of calls under several limits on the server, to be added to. */
  public Map<ReservationCase, Double> reservations() {
    return reservations;
  }

  public List<ServerUse> server() {
    return server;
  }

  public List<MeasuredCase> clients() {
    return clients;
  }

  public Optional<MeasuredCase> find(BenchmarkCase what) {
    return tried(what).filter(MeasuredCase::present);
  }

  /** A case that was measured, or could not be. */
  public Optional<MeasuredCase> tried(BenchmarkCase what) {
    return clients.stream().filter(m -> m.what().equals(what)).findFirst();
  }

  public Optional<ServerUse> use(
      BenchmarkCandidate what, RedisClientType client, SubjectWorkload workload) {
    ServerCase wanted = new ServerCase(what, client, workload);
    return server.stream()
        .filter(use -> use.problem() == null && use.what().equals(wanted))
        .findFirst();
  }

  /**
   * Decisions a second to those of a floor, sent alike by as many threads: alone, together or in
   * flight.
   */
  public Optional<RoundRatio> to(FloorCall floor, MeasuredCase measured) {
    BenchmarkQuestion question = measured.what().question();
    return floor(question.atOnce() ? question : BenchmarkQuestion.FLOOR, floor, measured)
        .map(least -> RoundRatio.ofMedian(measured.iterations(), least.iterations()));
  }

  /** The widest of the ratios that are the same in every run: so far the run itself wavers. */
  public Optional<RoundRatio> widest() {
    return clients.stream()
        .filter(m -> m.what().candidate() == PenstockAlgorithm.TOKEN_BUCKET && m.present())
        .filter(m -> m.what().workload() == SubjectWorkload.ALLOWED && m.what().tiers() == 1)
        .flatMap(m -> toSameCommands(m).stream())
        .max(Comparator.comparingDouble(RoundRatio::spread));
  }

  /** To the same server commands. */
  public Optional<RoundRatio> toSameCommands(MeasuredCase measured) {
    return to(FloorCall.of(measured.what().workload()), measured);
  }

  /** To the token bucket's own script: the adapter's share. */
  public Optional<RoundRatio> toOwnScript(MeasuredCase measured) {
    return to(FloorCall.TOKEN_BUCKET, measured);
  }

  /** To Bucket4j without its optimisations, asked about the same subject. */
  public Optional<RoundRatio> toBucket4j(MeasuredCase ours) {
    BenchmarkCase what = ours.what();
    return find(BenchmarkCase.near(
            what.client(), TripSaving.BUCKET4J, what.workload(), what.threads()))
        .map(theirs -> RoundRatio.ofMedian(ours.iterations(), theirs.iterations()));
  }

  /** The token bucket's decisions a second to those of a peer; empty if this is none. */
  public Optional<RoundRatio> penstockTo(MeasuredCase peer) {
    BenchmarkCase what = peer.what();
    return find(BenchmarkCase.bucket(what.client(), what.workload(), what.threads()))
        .filter(ours -> what.question() == BenchmarkQuestion.PEER && peer.present())
        .map(ours -> RoundRatio.ofMedian(ours.iterations(), peer.iterations()));
  }

  private Optional<MeasuredCase> floor(
      BenchmarkQuestion question, FloorCall floor, MeasuredCase measured) {
    return clients.stream()
        .filter(f -> f.present() && measured.present())
        .filter(f -> f.what().question() == question && f.what().candidate() == floor)
        .filter(f -> f.what().client() == measured.what().client())
        .filter(f -> f.what().threads() == measured.what().threads())
        .findFirst();
  }
}
