package io.github.penstock.benchmarks.compare;

import io.github.penstock.benchmarks.CleanStop;
import io.github.penstock.benchmarks.OwnKeys;
import io.github.penstock.benchmarks.Server;
import io.github.penstock.benchmarks.ServerOptions;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import redis.clients.jedis.RedisClient;

/** What each algorithm does to traffic. */
@Command(
    name = "compare",
    header = "What each algorithm lets through of the same traffic.",
    mixinStandardHelpOptions = true)
public final class CompareCommand implements Runnable {
  @Spec private CommandSpec spec;
  @Mixin private final ServerOptions options = new ServerOptions();

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    CleanStop.around(() -> run(out));
  }

  private void run(PrintWriter out) {
    try (Server server = Server.open(options)) {
      out.println("A limit of 1000 per 3 seconds, on " + server.title());
      server.run(client -> compare(client, out));
    }
  }

  private static void compare(RedisClient client, PrintWriter out) {
    long decisions = 0;
    try (OwnKeys keys = new OwnKeys(client)) {
      for (Scenario scenario : Scenario.values()) {
        List<Played.Result> results = new ArrayList<>();
        try (Replay replay = new Replay(client)) {
          for (Candidate candidate : scenario.candidates()) {
            Lane lane =
                new Lane(candidate, keys.prefix(), scenario.option() + "-" + results.size());
            replay.play(scenario.source(), List.of(lane));
            results.add(new Played.Result(candidate, lane.tally()));
          }
          decisions += replay.decisions();
        }
        Played played = new Played(scenario.title(), scenario.description(), results);
        print(
            out,
            scenario.title(),
            scenario.isShort() ? CompareText.seconds(played) : CompareText.summary(played, true));
        if (scenario.isShort()) {
          out.println();
          ShortScenarios.why(scenario, played)
              .forEach(line -> CompareText.wrap(line).forEach(out::println));
        }
      }
      print(out, "The scripts", ScriptCosts.lines(client, keys.prefix()));
      out.println(decisions + " decisions");
    }
  }

  private static void print(PrintWriter out, String title, List<String> lines) {
    out.println();
    out.println(title);
    out.println();
    lines.forEach(out::println);
  }
}
