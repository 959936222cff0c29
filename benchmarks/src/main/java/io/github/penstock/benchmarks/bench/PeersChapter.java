package io.github.penstock.benchmarks.bench;

import io.github.penstock.benchmarks.jmh.Algorithm;
import io.github.penstock.benchmarks.jmh.Client;
import io.github.penstock.benchmarks.jmh.Contender;
import io.github.penstock.benchmarks.jmh.Floor;
import io.github.penstock.benchmarks.jmh.Workload;
import io.github.penstock.benchmarks.report.Bars;
import io.github.penstock.benchmarks.report.Chapter;
import io.github.penstock.benchmarks.report.DataTable;
import io.github.penstock.benchmarks.report.Finding;
import io.github.penstock.benchmarks.report.Hue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a decision costs beside other limiters. */
final class PeersChapter {
  private static final Map<Contender, Hue> HUES =
      Map.of(
          Contender.PENSTOCK, Hue.BLUE,
          Contender.BUCKET4J, Hue.ORANGE,
          Contender.RRATE_LIMITER, Hue.RED,
          Contender.SPRING_GATEWAY, Hue.GREEN);

  /** What is compared, in words. */
  private enum Contest {
    ALLOWED(Workload.ALLOWED, Profile.THREADS, "Allowed, 10,000 subjects"),
    DENIED(Workload.EXHAUSTED, Profile.THREADS, "Denied, one exhausted subject"),
    HOT(Workload.HOT, Profile.THREADS, "One hot subject, 8 threads"),
    HOTTER(Workload.HOT, Profile.MANY_THREADS, "One hot subject, 64 threads");

    private final Workload workload;
    private final int threads;
    private final String title;

    Contest(Workload workload, int threads, String title) {
      this.workload = workload;
      this.threads = threads;
      this.title = title;
    }
  }

  private final Results results;
  private final Ratios ratios;
  private final List<Client> clients;

  PeersChapter(Results results, List<Client> clients) {
    this.results = results;
    ratios = new Ratios(results);
    this.clients = clients;
  }

  Chapter chapter() {
    Chapter chapter =
        new Chapter(
            "And beside other limiters?",
            "Each is set up as its documentation says and called through the same client, in the same run. A hot"
                + " subject is one that everybody asks for at once.");
    if (clients.stream().allMatch(this::withoutPeers)) {
      return chapter;
    }
    for (Contender peer : peers()) {
      for (Contest contest : Contest.values()) {
        findings(peer, contest).forEach(chapter::add);
      }
    }
    reasons().forEach(chapter::add);
    for (Contest contest : Contest.values()) {
      Bars bars = bars(contest);
      if (!bars.isEmpty()) {
        chapter.add(bars.figure("Longer is better." + noBar(contest)));
      }
    }
    return chapter.add(table());
  }

  private boolean withoutPeers(Client client) {
    return results.clients().stream()
        .noneMatch(m -> m.question() == Question.PEER && m.client().equals(client.title()));
  }

  /* What follows from how they work, where it was measured. */
  private List<Finding> reasons() {
    List<Finding> reasons = new ArrayList<>();
    if (!findings(Contender.BUCKET4J, Contest.ALLOWED).isEmpty()) {
      reasons.add(
          Finding.note(
              "Bucket4j reads, decides in the caller, and writes if nobody else wrote meanwhile: two round trips to"
                  + " allow, more when several ask for one subject, and only the read, a plain GET, to deny. So the"
                  + " more of your calls are allowed and the hotter your subjects, the more a script brings; where"
                  + " nearly everything is denied, it brings nothing."));
    }
    if (!findings(Contender.RRATE_LIMITER, Contest.ALLOWED).isEmpty()) {
      reasons.add(
          Finding.note(
              "RRateLimiter keeps an entry for every permit of the interval: look at the memory below before you give"
                  + " it a large rate."));
    }
    return reasons;
  }

  /** The comparison with Bucket4j, the peer that exists for every client. */
  List<Finding> inShort() {
    List<Finding> findings = new ArrayList<>();
    for (Contest contest : List.of(Contest.ALLOWED, Contest.HOT, Contest.DENIED)) {
      findings.addAll(findings(Contender.BUCKET4J, contest));
    }
    return findings;
  }

  private List<Finding> findings(Contender peer, Contest contest) {
    List<Say.Pair> pairs = new ArrayList<>();
    for (Client client : clients) {
      Optional<Measured> ours = figure(Contender.PENSTOCK, client, contest);
      Optional<Measured> theirs = figure(peer, client, contest);
      if (ours.isPresent() && theirs.isPresent()) {
        pairs.add(new Say.Pair(client.title(), Ratios.of(ours.get(), theirs.get()), 1));
      }
    }
    return Say.compare(contest.title, Say.Measure.DECISIONS, peer.title(), pairs);
  }

  private Bars bars(Contest contest) {
    Bars bars = new Bars(contest.title, "decisions a second");
    for (Client client : clients) {
      for (Contender contender : Contender.values()) {
        figure(contender, client, contest)
            .ifPresent(
                m ->
                    bars.bar(
                        client.title(),
                        contender == Contender.SPRING_GATEWAY
                            ? "Spring Gateway"
                            : contender.title(),
                        HUES.get(contender),
                        m.perSecond()));
      }
    }
    return bars;
  }

  /* Why a bar is missing, if one is. */
  private String noBar(Contest contest) {
    boolean unmeasured = false;
    boolean impossible = false;
    for (Client client : clients) {
      for (Contender contender : Contender.values()) {
        boolean missing = figure(contender, client, contest).isEmpty();
        boolean possible = contender.cannot(client).isEmpty();
        unmeasured |= missing && possible;
        impossible |= missing && !possible;
      }
    }
    String cannot = "it cannot be used with that client.";
    return unmeasured
        ? " No bar: not measured in this run" + (impossible ? ", or " + cannot : ".")
        : impossible ? " No bar: " + cannot : "";
  }

  private DataTable table() {
    DataTable table =
        new DataTable(
            "Other limiters",
            3,
            "client",
            "asks",
            "limiter",
            "threads",
            "a second",
            "Penstock to it",
            "of an empty script",
            "p50 µs",
            "p99 µs",
            "bytes allocated");
    for (Contest contest : Contest.values()) {
      for (Client client : clients) {
        for (Contender contender : Contender.values()) {
          row(contest, client, contender).ifPresent(table::row);
        }
      }
    }
    return table.note(
        "Spring Cloud Gateway's script is called raw; the Gateway reaches it through Spring Data Redis, whose cost is"
            + " not in here. It keeps whole seconds and answers no wait. RRateLimiter answers yes or no.");
  }

  private Optional<List<String>> row(Contest contest, Client client, Contender contender) {
    List<String> head =
        List.of(
            client.title(), contest.title, contender.title(), Integer.toString(contest.threads));
    Optional<Measured> measured = any(contender, client, contest);
    if (measured.isEmpty()) {
      boolean possible = contender.cannot(client).isEmpty();
      boolean wanted = any(Contender.PENSTOCK, client, contest).isPresent();
      return possible || !wanted
          ? Optional.empty()
          : Optional.of(joined(head, "cannot: " + contender.cannot(client), "", "", "", "", ""));
    }
    Measured m = measured.get();
    return Optional.of(
        m.present()
            ? joined(
                head,
                Say.count(m.perSecond()),
                ratio(contest, client, m),
                Ratios.cell(ratios.to(Floor.EMPTY_SCRIPT, m)),
                Say.count(m.p50Micros()),
                Say.count(m.p99Micros()),
                Say.count(m.bytesPerCall()))
            : joined(head, String.valueOf(m.problem()), "", "", "", "", ""));
  }

  private String ratio(Contest contest, Client client, Measured theirs) {
    return theirs.question() == Question.PEER
        ? figure(Contender.PENSTOCK, client, contest)
            .map(ours -> Say.hundredths(Ratios.of(ours, theirs)))
            .orElse("")
        : "";
  }

  private static List<String> joined(List<String> head, String... cells) {
    List<String> row = new ArrayList<>(head);
    row.addAll(List.of(cells));
    return row;
  }

  private static List<Contender> peers() {
    return List.of(Contender.BUCKET4J, Contender.SPRING_GATEWAY, Contender.RRATE_LIMITER);
  }

  private Optional<Measured> figure(Contender contender, Client client, Contest contest) {
    return any(contender, client, contest).filter(Measured::present);
  }

  private Optional<Measured> any(Contender contender, Client client, Contest contest) {
    boolean ours = contender == Contender.PENSTOCK;
    String what = ours ? Case.title(Algorithm.TOKEN_BUCKET) : contender.title();
    Question question = ours ? Question.ALGORITHM : Question.PEER;
    return results.clients().stream()
        .filter(m -> m.question() == question && m.what().equals(what) && m.tiers() == 1)
        .filter(m -> m.client().equals(client.title()) && m.threads() == contest.threads)
        .filter(m -> m.workload().equals(contest.workload.name()))
        .findFirst();
  }
}
