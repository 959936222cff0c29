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
import java.util.List;
import java.util.Optional;

/** What it brings not to wait for each decision: batches, and many in flight. */
final class AtOnceChapter {
  private static final String BUCKET = Case.title(Algorithm.TOKEN_BUCKET);
  private static final String ONE_BY_ONE = "one by one, 8 threads";
  private static final String BATCH = "batches of 100, 8 threads";
  private static final String ASYNC = "256 in flight, 1 thread";
  private final Results results;
  private final Ratios ratios;
  private final List<Client> clients;

  AtOnceChapter(Results results, List<Client> clients) {
    this.results = results;
    ratios = new Ratios(results);
    this.clients = clients;
  }

  Chapter chapter() {
    Chapter chapter =
        new Chapter(
            "What does it bring not to wait for each one?",
            "The token bucket, 10,000 subjects, allowed: one decision at a time, a hundred together, or one thread that"
                + " never waits, with at most 256 in flight. Jedis is not asynchronous.");
    clients.forEach(client -> findings(chapter, client));
    if (clients.stream().anyMatch(client -> batch(client).isPresent())) {
      chapter.add(
          Finding.note(
              "Where nobody waits, the server is what limits: the ratio to the same commands is here nearly the ratio of"
                  + " the scripts' times on the server. What the adapter adds shows in the ratio to the own script."));
    }
    Bars bars = new Bars("Decisions a second", "decisions a second");
    for (Client client : clients) {
      oneByOne(client)
          .ifPresent(m -> bars.bar(client.title(), ONE_BY_ONE, Hue.GREY, m.perSecond()));
      batch(client).ifPresent(m -> bars.bar(client.title(), BATCH, Hue.BLUE, m.perSecond()));
      async(client).ifPresent(m -> bars.bar(client.title(), ASYNC, Hue.PURPLE, m.perSecond()));
    }
    boolean measured = results.clients().stream().anyMatch(m -> m.question().atOnce());
    return measured ? chapter.add(bars.figure("Longer is better.")).add(table()) : chapter;
  }

  private void findings(Chapter chapter, Client client) {
    Optional<Measured> single = oneByOne(client);
    Optional<Measured> batch = batch(client);
    if (single.isPresent() && batch.isPresent()) {
      double times = batch.get().perSecond() / single.get().perSecond();
      chapter.add(
          Finding.note(
              "On %s a batch of 100 makes %s times as many decisions as one call at a time%s"
                  .formatted(
                      client.title(),
                      Say.hundredths(times),
                      times > 1.2 ? ": use it where decisions come together." : ".")));
    }
    batch.ifPresent(measured -> floor(chapter, "in batches", measured));
    async(client).ifPresent(measured -> floor(chapter, "asynchronous", measured));
  }

  private void floor(Chapter chapter, String how, Measured measured) {
    ratios
        .toSameCommands(measured)
        .ifPresent(
            ratio ->
                chapter.add(
                    new Finding(
                        ratio >= ClientsChapter.GOAL ? Verdict.AHEAD : Verdict.BEHIND,
                        "On %s, %s, the token bucket makes %s times as many decisions as the same server commands sent raw in the same way (goal: at least %s)%s."
                            .formatted(
                                measured.client(),
                                how,
                                Say.hundredths(ratio),
                                Say.hundredths(ClientsChapter.GOAL),
                                ratios
                                    .toOwnScript(measured)
                                    .map(
                                        own ->
                                            ", and %s times as many as its own script sent so"
                                                .formatted(Say.hundredths(own)))
                                    .orElse("")))));
  }

  private DataTable table() {
    DataTable table =
        new DataTable(
            "Batches and calls in flight",
            3,
            "client",
            "what",
            "how",
            "threads",
            "a second",
            "of the same commands",
            "of the script raw",
            "p50 µs",
            "p99 µs",
            "p99.9 µs",
            "bytes allocated");
    results.clients().stream()
        .filter(m -> m.question().atOnce())
        .forEach(
            m ->
                table.row(
                    m.client(),
                    m.what(),
                    m.question() == Question.BATCH ? "batches of 100" : "256 in flight",
                    Integer.toString(m.threads()),
                    m.present() ? Say.count(m.perSecond()) : String.valueOf(m.problem()),
                    raw(m) ? "" : Ratios.cell(ratios.toSameCommands(m)),
                    m.what().equals(BUCKET) ? Ratios.cell(ratios.toOwnScript(m)) : "",
                    micros(m, m.p50Micros()),
                    micros(m, m.p99Micros()),
                    micros(m, m.p999Micros()),
                    m.present() ? Say.count(m.bytesPerCall()) : ""));
    return table.note(
        "Microseconds: of a batch per decision; in flight, from the call to its answer. The same commands are sent raw"
            + " in the same way, and so is the token bucket's own script.");
  }

  private static boolean raw(Measured measured) {
    return measured.what().equals(Floor.SAME_COMMANDS.title())
        || measured.what().equals(Floor.TOKEN_BUCKET.title());
  }

  private static String micros(Measured measured, double micros) {
    return measured.present() && micros > 0 ? Say.tenths(micros) : "";
  }

  private Optional<Measured> oneByOne(Client client) {
    return find(Question.ALGORITHM, client, Profile.THREADS);
  }

  private Optional<Measured> batch(Client client) {
    return find(Question.BATCH, client, Profile.THREADS);
  }

  private Optional<Measured> async(Client client) {
    return find(Question.ASYNC, client, 1);
  }

  private Optional<Measured> find(Question question, Client client, int threads) {
    return results.find(question, BUCKET, client, Workload.ALLOWED, threads);
  }
}
