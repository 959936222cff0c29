package io.github.penstock.benchmarks.bench;

import io.github.penstock.benchmarks.jmh.Algorithm;
import io.github.penstock.benchmarks.jmh.Client;
import io.github.penstock.benchmarks.jmh.Floor;
import io.github.penstock.benchmarks.jmh.Workload;
import io.github.penstock.benchmarks.report.Bars;
import io.github.penstock.benchmarks.report.Chapter;
import io.github.penstock.benchmarks.report.DataTable;
import io.github.penstock.benchmarks.report.Finding;
import io.github.penstock.benchmarks.report.Hue;
import io.github.penstock.benchmarks.report.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What a decision costs with each algorithm through each client, beside the floors. */
final class ClientsChapter {
  /** The least that is aimed at, to the same server commands sent raw. */
  static final double GOAL = 0.95;

  private static final double GOAL_BYTES = 1_500;
  private static final double SPREAD = 0.1;
  private static final int FEW_ROUNDS = 4;
  private static final double STEADY = 0.15;
  private static final Map<Algorithm, Hue> HUES =
      Map.of(
          Algorithm.FIXED_WINDOW, Hue.ORANGE,
          Algorithm.TOKEN_BUCKET, Hue.BLUE,
          Algorithm.LEAKY_BUCKET, Hue.GREEN);
  private static final String BUCKET = Case.title(Algorithm.TOKEN_BUCKET);
  private final Results results;
  private final Ratios ratios;
  private final List<Client> clients;

  ClientsChapter(Results results, List<Client> clients) {
    this.results = results;
    ratios = new Ratios(results);
    this.clients = clients;
  }

  Chapter chapter() {
    Chapter chapter =
        new Chapter(
            "Which algorithm, through which client?",
            "8 threads ask for 10,000 subjects as fast as they can, all allowed. \"Same commands\" is the floor: a"
                + " script that makes the same server commands and nothing else, sent raw through the same client.");
    floors().forEach(chapter::add);
    adapters().ifPresent(chapter::add);
    allocation().forEach(chapter::add);
    spread().forEach(chapter::add);
    fastest().ifPresent(chapter::add);
    Bars toFloor = toFloor();
    if (!toFloor.isEmpty()) {
      chapter.add(
          toFloor.figure(
              "What is left of the floor's decisions a second, the median of the rounds. 1 would be a limiter that costs"
                  + " nothing beside its server commands."));
    }
    Bars throughput = throughput();
    if (!throughput.isEmpty()) {
      chapter.add(throughput.figure("Longer is better. The grey bar is as good as it can get."));
    }
    Bars threads = threads();
    if (threads.series() > 1) {
      chapter.add(
          threads.figure(
              "Token bucket. One thread is shown where client and server could be bound to one processor, so that nobody"
                  + " sleeps."));
    }
    Bars latency = latency();
    if (!latency.isEmpty()) {
      chapter.add(
          latency.figure(
              "Token bucket, 8 threads that never pause: the time of a call is mostly waiting for its turn. Shorter"
                  + " is better."));
    }
    return chapter.add(table());
  }

  /** How the token bucket stands to its floor, for every client. */
  List<Finding> floors() {
    List<String> good = new ArrayList<>();
    List<String> bad = new ArrayList<>();
    for (Client client : clients) {
      ratioToFloor(client)
          .ifPresent(ratio -> (ratio >= GOAL ? good : bad).add(times(ratio, client)));
    }
    List<Finding> findings = new ArrayList<>();
    floor(findings, Verdict.AHEAD, good);
    floor(findings, Verdict.BEHIND, bad);
    return findings;
  }

  /**
   * Whether it was measured often enough, on a machine that was equally fast while it was measured;
   * if not, how far to believe it.
   */
  Optional<Finding> unsteady() {
    int rounds =
        results.clients().stream()
            .filter(Measured::present)
            .mapToInt(m -> m.turns().size())
            .min()
            .orElse(FEW_ROUNDS);
    if (rounds < FEW_ROUNDS) {
      return Optional.of(
          new Finding(
              Verdict.CAUTION,
              "Some figures are of only %s: take their ratios as rough, whatever the goals say."
                  .formatted(rounds == 1 ? "1 round" : rounds + " rounds")));
    }
    return results.clients().stream()
        .filter(m -> m.present() && m.what().equals(BUCKET) && m.tiers() == 1)
        .filter(m -> m.workload().equals(Workload.ALLOWED.name()))
        .filter(m -> m.threads() > 1 || m.oneProcessor())
        .flatMap(measured -> ratios.half(measured).stream())
        .max(Comparator.comparingDouble(Ratios.Half::width))
        .filter(widest -> widest.width() > STEADY)
        .map(
            widest ->
                new Finding(
                    Verdict.CAUTION,
                    "The machine was not equally fast throughout: of one and the same ratio half of the rounds lay between %s and %s. Take smaller differences for none, or measure longer: ./penstock bench -- -i 100."
                        .formatted(Say.hundredths(widest.from()), Say.hundredths(widest.to()))));
  }

  private static void floor(List<Finding> findings, Verdict verdict, List<String> ratios) {
    if (!ratios.isEmpty()) {
      findings.add(
          new Finding(
              verdict,
              "The token bucket makes %s as many decisions as the same server commands sent raw through the same client (goal: at least %s)."
                  .formatted(Say.list(ratios), Say.hundredths(GOAL))));
    }
  }

  /* What of it is the adapter's, and not the script's. */
  private Optional<Finding> adapters() {
    List<String> each = new ArrayList<>();
    double least = Double.MAX_VALUE;
    for (Client client : clients) {
      Optional<Double> ratio =
          ours(client, Algorithm.TOKEN_BUCKET).flatMap(m -> ratios.toOwnScript(m));
      if (ratio.isPresent()) {
        least = Math.min(least, ratio.get());
        each.add(times(ratio.get(), client));
      }
    }
    return each.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Finding.note(
                "Beside its own script sent raw through the same client, the token bucket makes %s as many decisions: %s What is missing to the floor beyond that is the script's time on the server."
                    .formatted(
                        Say.list(each),
                        least >= GOAL
                            ? "what the adapter adds is too little to be measured here."
                            : "that is the adapter's share.")));
  }

  private static String times(double ratio, Client client) {
    return Say.hundredths(ratio) + " times (" + client.title() + ")";
  }

  private Optional<Double> ratioToFloor(Client client) {
    return ours(client, Algorithm.TOKEN_BUCKET).flatMap(ratios::toSameCommands);
  }

  private List<Finding> allocation() {
    List<Finding> findings = new ArrayList<>();
    for (Client client : clients) {
      Optional<Measured> ours = ours(client, Algorithm.TOKEN_BUCKET);
      Optional<Double> beyond = ours.flatMap(ratios::bytesBeyond);
      if (ours.isPresent() && beyond.isPresent()) {
        findings.add(
            new Finding(
                beyond.get() <= GOAL_BYTES ? Verdict.AHEAD : Verdict.BEHIND,
                "On %s a decision allocates %s bytes, %s %s than the raw call (goal: at most %s more)."
                    .formatted(
                        client.title(),
                        Say.count(ours.get().bytesPerCall()),
                        Say.count(Math.abs(beyond.get())),
                        beyond.get() < 0 ? "less" : "more",
                        Say.count(GOAL_BYTES))));
      }
    }
    return findings;
  }

  /* Whether the choice of an algorithm is one of cost at all. */
  private List<Finding> spread() {
    double widest = 0;
    for (Client client : clients) {
      List<Double> each = new ArrayList<>();
      for (Algorithm algorithm : Algorithm.values()) {
        ours(client, algorithm).flatMap(ratios::toSameCommands).ifPresent(each::add);
      }
      if (each.size() == Algorithm.values().length) {
        double most = each.stream().max(Comparator.naturalOrder()).orElseThrow();
        double least = each.stream().min(Comparator.naturalOrder()).orElseThrow();
        widest = Math.max(widest, most / least - 1);
      }
    }
    if (widest == 0) {
      return List.of();
    }
    String percent = Say.count(widest * 100);
    return List.of(
        Finding.note(
            widest <= SPREAD
                ? "The algorithms differ by at most "
                    + percent
                    + " % through any client: choose by what they let through, not by cost."
                : "The algorithms differ by up to "
                    + percent
                    + " % through a client; see the picture for which, and repeat the run before you rely on it."));
  }

  private Optional<Finding> fastest() {
    List<Measured> each =
        clients.stream()
            .flatMap(client -> ours(client, Algorithm.TOKEN_BUCKET).stream())
            .sorted(Comparator.comparingDouble(Measured::perSecond).reversed())
            .toList();
    if (each.size() < 2) {
      return Optional.empty();
    }
    List<String> words =
        each.stream().map(m -> m.client() + " " + Say.count(m.perSecond())).toList();
    return Optional.of(
        Finding.note(
            "With the token bucket and 8 threads, decisions a second on this machine: "
                + Say.list(words)
                + ". Client and server share its processors here."));
  }

  private Bars toFloor() {
    Bars bars = new Bars("Beside the floor", "ratio to the same commands").numbers("0.00");
    for (Client client : clients) {
      for (Algorithm algorithm : Algorithm.values()) {
        ours(client, algorithm)
            .flatMap(ratios::toSameCommands)
            .ifPresent(
                ratio ->
                    bars.bar(client.title(), Case.title(algorithm), HUES.get(algorithm), ratio));
      }
    }
    return bars;
  }

  private Bars throughput() {
    Bars bars = new Bars("Decisions a second", "decisions a second, 8 threads");
    for (Client client : clients) {
      for (Algorithm algorithm : Algorithm.values()) {
        ours(client, algorithm)
            .ifPresent(
                m ->
                    bars.bar(
                        client.title(), Case.title(algorithm), HUES.get(algorithm), m.perSecond()));
      }
      floor(client, Floor.SAME_COMMANDS)
          .ifPresent(
              m -> bars.bar(client.title(), Floor.SAME_COMMANDS.title(), Hue.GREY, m.perSecond()));
    }
    return bars;
  }

  private Bars threads() {
    Bars bars = new Bars("With more threads", "decisions a second");
    Map<Integer, Hue> hues = new TreeMap<>(Map.of(1, Hue.GREY, 8, Hue.BLUE, 64, Hue.PURPLE));
    for (Client client : clients) {
      hues.forEach(
          (threads, hue) ->
              results
                  .find(Question.ALGORITHM, BUCKET, client, Workload.ALLOWED, threads)
                  .filter(m -> threads > 1 || m.oneProcessor())
                  .ifPresent(m -> bars.bar(client.title(), named(threads), hue, m.perSecond())));
    }
    return bars;
  }

  private static String named(int threads) {
    return threads == 1 ? "1 thread" : threads + " threads";
  }

  private Bars latency() {
    Bars bars = new Bars("How long a call takes", "microseconds");
    for (Client client : clients) {
      ours(client, Algorithm.TOKEN_BUCKET)
          .ifPresent(
              m -> {
                bars.bar(client.title(), "half are faster", Hue.BLUE, m.p50Micros());
                bars.bar(client.title(), "99 of 100 are faster", Hue.PURPLE, m.p99Micros());
              });
    }
    return bars;
  }

  private DataTable table() {
    DataTable table =
        new DataTable(
            "Algorithms and floors through each client",
            4,
            "client",
            "what",
            "asks",
            "tiers",
            "threads",
            "a second",
            "of PING",
            "of an empty script",
            "of the same commands",
            "of the script raw",
            "p50 µs",
            "p99 µs",
            "p99.9 µs",
            "bytes allocated");
    results.clients().stream()
        .filter(m -> m.question() == Question.FLOOR || m.question() == Question.ALGORITHM)
        .forEach(m -> table.row(row(m)));
    return table.note(
        "Of ...: decisions a second, to those of that floor sent raw through the same client with as many threads. The"
            + " same commands are those of an allowed or of a denied call, as the subjects ask. The script raw is the token"
            + " bucket's own.");
  }

  private List<String> row(Measured m) {
    boolean floor = m.question() == Question.FLOOR;
    List<String> cells =
        new ArrayList<>(
            List.of(
                m.client(),
                m.what(),
                floor ? "" : m.workload().toLowerCase(Locale.ROOT),
                floor ? "" : Integer.toString(m.tiers()),
                Integer.toString(m.threads())));
    if (!m.present()) {
      cells.addAll(List.of(String.valueOf(m.problem()), "", "", "", "", "", "", "", ""));
    } else if (m.threads() == 1 && !m.oneProcessor()) {
      cells.addAll(List.of("not on one processor: not quoted", "", "", "", "", "", "", "", ""));
    } else {
      cells.addAll(
          List.of(
              Say.count(m.perSecond()),
              Ratios.cell(ratios.to(Floor.PING, m)),
              m.what().equals(Floor.PING.title())
                  ? ""
                  : Ratios.cell(ratios.to(Floor.EMPTY_SCRIPT, m)),
              floor ? "" : Ratios.cell(ratios.toSameCommands(m)),
              isBucket(m) ? Ratios.cell(ratios.toOwnScript(m)) : "",
              Say.count(m.p50Micros()),
              Say.count(m.p99Micros()),
              Say.count(m.p999Micros()),
              Say.count(m.bytesPerCall())));
    }
    return cells;
  }

  private static boolean isBucket(Measured m) {
    return m.question() == Question.ALGORITHM
        && m.what().equals(BUCKET)
        && m.tiers() == 1
        && m.workload().equals(Workload.ALLOWED.name());
  }

  private Optional<Measured> ours(Client client, Algorithm algorithm) {
    return results.find(
        Question.ALGORITHM, Case.title(algorithm), client, Workload.ALLOWED, Profile.THREADS);
  }

  private Optional<Measured> floor(Client client, Floor floor) {
    return results.find(Question.FLOOR, floor.title(), client, Workload.ALLOWED, Profile.THREADS);
  }
}
