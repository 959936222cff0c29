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
import io.github.penstock.benchmarks.report.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** What a decision uses of the server. */
final class ServerChapter {
  private static final double GOAL_ALLOWED = 1.25;
  private static final double GOAL_DENIED = 1.4;
  private static final String BUCKET = Case.title(Algorithm.TOKEN_BUCKET);
  private final Results results;

  ServerChapter(Results results) {
    this.results = results;
  }

  Chapter chapter() {
    Chapter chapter =
        new Chapter(
            "What does it take of the server?",
            "A server runs one script at a time, so its time per decision bounds what all clients together can have."
                + " Microseconds are the server's own count (INFO commandstats).");
    floor(true, GOAL_ALLOWED).ifPresent(chapter::add);
    floor(false, GOAL_DENIED).ifPresent(chapter::add);
    peers().forEach(chapter::add);
    forms().forEach(chapter::add);
    memory().forEach(chapter::add);
    Bars times = times();
    if (!times.isEmpty()) {
      chapter.add(
          times.figure(
              "Pipelined, "
                  + ScriptBench.KEYS
                  + " keys, the best of many short runs. Shorter is better."));
    }
    add(
        chapter,
        "Commands that the server executes",
        "commands per decision",
        "0.0",
        ServerUse::commands);
    add(
        chapter,
        "Bytes over the network",
        "bytes in and out per decision",
        "#,##0",
        use -> use.bytesIn() + use.bytesOut());
    add(
        chapter,
        "Memory of a subject, 1 charge",
        "bytes, all its keys",
        "#,##0",
        ServerUse::bytesPerKey);
    return chapter.add(scripts()).add(uses());
  }

  /** How the token bucket stands to the same commands. */
  List<Finding> inShort() {
    List<Finding> findings = new ArrayList<>();
    floor(true, GOAL_ALLOWED).ifPresent(findings::add);
    findings.addAll(gateway(true));
    uses(Contender.RRATE_LIMITER, Client.REDISSON, Workload.ALLOWED)
        .ifPresent(both -> findings.add(both.get(0)));
    return findings;
  }

  private Optional<Finding> floor(boolean allowed, double goal) {
    Optional<ScriptCost> ours = results.script(BUCKET, ScriptCost.SHIPPED, 1, allowed);
    Floor floor = allowed ? Floor.SAME_COMMANDS : Floor.SAME_COMMANDS_DENIED;
    Optional<ScriptCost> least = results.script(floor.title(), ScriptCost.OTHER, 1, allowed);
    if (ours.isEmpty() || least.isEmpty()) {
      return Optional.empty();
    }
    double ratio = ours.get().micros() / least.get().micros();
    return Optional.of(
        new Finding(
            ratio <= goal ? Verdict.AHEAD : Verdict.BEHIND,
            "On the server %s decision of the token bucket takes %s µs, %s times a script that only makes the same commands (goal: %s)."
                .formatted(
                    allowed ? "an allowed" : "a denied",
                    Say.tenths(ours.get().micros()),
                    Say.hundredths(ratio),
                    Say.hundredths(goal))));
  }

  private List<Finding> gateway(boolean allowed) {
    Optional<ScriptCost> ours = results.script(BUCKET, ScriptCost.SHIPPED, 1, allowed);
    Optional<ScriptCost> gateway =
        results.script(Contender.SPRING_GATEWAY.title(), ScriptCost.OTHER, 1, allowed);
    return ours.isPresent() && gateway.isPresent()
        ? Say.compare(
            "The script alone on the server, " + (allowed ? "allowed" : "denied"),
            Say.Measure.TIME,
            Contender.SPRING_GATEWAY.title(),
            List.of(new Say.Pair("", ours.get().micros(), gateway.get().micros())))
        : List.of();
  }

  private List<Finding> peers() {
    List<Finding> findings = new ArrayList<>(gateway(true));
    findings.addAll(gateway(false));
    for (Workload workload : List.of(Workload.ALLOWED, Workload.EXHAUSTED)) {
      uses(Contender.RRATE_LIMITER, Client.REDISSON, workload).ifPresent(findings::addAll);
      uses(Contender.BUCKET4J, Client.JEDIS, workload).ifPresent(findings::addAll);
    }
    return findings;
  }

  /* Through the same client, because a call that comes alone costs the server more than a pipelined one. */
  private Optional<List<Finding>> uses(Contender peer, Client client, Workload workload) {
    Optional<ServerUse> ours = results.use(BUCKET, client, workload);
    Optional<ServerUse> theirs = results.use(peer.title(), client, workload);
    if (ours.isEmpty() || theirs.isEmpty()) {
      return Optional.empty();
    }
    String how = workload == Workload.ALLOWED ? "allowed" : "denied";
    List<Finding> findings = new ArrayList<>();
    findings.addAll(
        Say.compare(
            "Commands on the server, " + how,
            Say.Measure.TIME,
            peer.title(),
            List.of(
                new Say.Pair(
                    client.title(), ours.get().commandMicros(), theirs.get().commandMicros()))));
    findings.addAll(
        Say.compare(
            "The server's processor, network included, " + how,
            Say.Measure.TIME,
            peer.title(),
            List.of(
                new Say.Pair(
                    client.title(), ours.get().processMicros(), theirs.get().processMicros()))));
    return Optional.of(findings);
  }

  private List<Finding> forms() {
    List<Finding> findings = new ArrayList<>();
    Optional<ScriptCost> shipped = results.script(BUCKET, ScriptCost.SHIPPED, 1, true);
    for (String form : List.of(ScriptCost.FUNCTION, ScriptCost.READABLE)) {
      Optional<ScriptCost> other = results.script(BUCKET, form, 1, true);
      if (shipped.isPresent() && other.isPresent()) {
        String name = form.equals(ScriptCost.FUNCTION) ? "FCALL" : "the readable source by EVALSHA";
        double ratio = other.get().micros() / shipped.get().micros();
        findings.add(
            Finding.note(
                "The token bucket by %s takes %s times as long as the minified script by EVALSHA%s"
                    .formatted(
                        name,
                        Say.hundredths(ratio),
                        Math.abs(ratio - 1) < 0.1
                            ? ": choose by how you deploy, not by cost."
                            : ".")));
      }
    }
    return findings;
  }

  private List<Finding> memory() {
    List<Finding> findings = new ArrayList<>();
    Optional<ServerUse> ours = known(BUCKET);
    for (Contender peer : Contender.values()) {
      Optional<ServerUse> theirs =
          peer == Contender.PENSTOCK ? Optional.empty() : known(peer.title());
      if (ours.isPresent() && theirs.isPresent()) {
        double own = ours.get().bytesPerKeyLater();
        double other = theirs.get().bytesPerKeyLater();
        String bytes = "%s bytes to %s".formatted(Say.count(own), Say.count(other));
        findings.addAll(
            Say.compare(
                "A subject after 100 charges",
                Say.Measure.MEMORY,
                peer.title(),
                List.of(new Say.Pair(bytes, own, other))));
      }
    }
    return findings;
  }

  private Optional<ServerUse> known(String what) {
    return results.server().stream()
        .filter(use -> use.what().equals(what) && use.bytesPerKeyLater() > 0)
        .findFirst();
  }

  private Bars times() {
    Bars bars =
        new Bars("Time of a script on the server", "microseconds per decision").numbers("0.0");
    for (ScriptCost cost : results.scripts()) {
      boolean plain = cost.form().equals(ScriptCost.SHIPPED) || cost.form().isEmpty();
      if (cost.tiers() == 1 && plain && !cost.what().equals(Floor.EMPTY_SCRIPT.title())) {
        String name =
            cost.what().replace(", denied", "").replace("Cloud Gateway's script", "Gateway");
        Hue hue = cost.allowed() ? Hue.BLUE : Hue.ORANGE;
        bars.bar(name, cost.allowed() ? "allowed" : "denied", hue, cost.micros());
      }
    }
    return bars;
  }

  private void add(
      Chapter chapter,
      String title,
      String axis,
      String numbers,
      ToDoubleFunction<ServerUse> figure) {
    Bars bars = new Bars(title, axis).numbers(numbers);
    for (ServerUse use : results.server()) {
      boolean allowed = use.workload().equals(Workload.ALLOWED.name());
      if (use.problem() == null && allowed && figure.applyAsDouble(use) > 0) {
        String name = use.what().replace("Cloud Gateway's script", "Gateway");
        bars.bar(name, "allowed", Hue.BLUE, figure.applyAsDouble(use));
      }
    }
    if (!bars.isEmpty()) {
      chapter.add(bars.figure("An allowed decision. Shorter is better."));
    }
  }

  private DataTable scripts() {
    DataTable table =
        new DataTable(
            "Time of scripts on the server",
            3,
            "script",
            "form",
            "call",
            "tiers",
            "µs",
            "of the floor");
    for (ScriptCost cost : results.scripts()) {
      Floor floor = cost.allowed() ? Floor.SAME_COMMANDS : Floor.SAME_COMMANDS_DENIED;
      Optional<ScriptCost> least =
          results.script(floor.title(), ScriptCost.OTHER, 1, cost.allowed());
      table.row(
          cost.what(),
          cost.form(),
          cost.allowed() ? "allowed" : "denied",
          Integer.toString(cost.tiers()),
          Say.hundredths(cost.micros()),
          least.map(l -> Say.hundredths(cost.micros() / l.micros())).orElse(""));
    }
    return table.note(
        "Shipped: minified, by EVALSHA. Readable: the source, by EVALSHA. Function: the same by FCALL.");
  }

  private DataTable uses() {
    DataTable table =
        new DataTable(
            "What a decision uses of the server, through a client with 8 threads",
            3,
            "limiter",
            "client",
            "asks",
            "µs of commands",
            "µs of processor",
            "commands",
            "bytes in",
            "bytes out",
            "bytes replicated",
            "bytes of memory, 1 charge",
            "after 100");
    for (ServerUse use : results.server()) {
      String workload = use.workload().toLowerCase(Locale.ROOT);
      if (use.problem() != null) {
        table.row(use.what(), use.client(), workload, use.problem(), "", "", "", "", "", "", "");
      } else {
        table.row(
            use.what(),
            use.client(),
            workload,
            Say.tenths(use.commandMicros()),
            Say.tenths(use.processMicros()),
            Say.tenths(use.commands()),
            Say.count(use.bytesIn()),
            Say.count(use.bytesOut()),
            Say.countIfKnown(use.bytesReplicated()),
            Say.countIfKnown(use.bytesPerKey()),
            Say.countIfKnown(use.bytesPerKeyLater()));
      }
    }
    return table.note(
        "Microseconds of processor: of the server's whole process, network included. Commands: those within scripts"
            + " included. Memory: MEMORY USAGE of all keys of a subject, names included.");
  }
}
