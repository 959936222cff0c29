package io.github.penstock.cli;

import io.github.penstock.cli.scripts.CommandOutput;
import io.github.penstock.operations.capacity.CapacityPlan;
import io.github.penstock.operations.capacity.FilledServer;
import io.github.penstock.operations.capacity.LimitFootprint;
import io.github.penstock.operations.server.CheckedServer;
import io.github.penstock.report.console.OrderlyStop;
import io.github.penstock.report.console.ProgressLine;
import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.report.text.NumberText;
import io.github.penstock.report.text.SafeText;
import io.github.penstock.simulator.traffic.LimitCandidate;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code plan}: the demand of a load on servers. */
@Command(
    name = "plan",
    header = "Works out what a load takes: memory, servers, bandwidth, connections.",
    description = {
      "Says of each figure whether it was measured or worked out; docs/scale.md says how.",
      "Every request asks all limits that are given. A limit is written as for compare."
    },
    footer = {
      "",
      "  ./penstock plan --subjects 50000000 --limit token-bucket:100/1m --per-second 200000"
    },
    mixinStandardHelpOptions = true)
final class PlanCommand implements Runnable {
  private static final long MOST_SUBJECTS = 1_000_000_000_000L;
  private static final long MOST_PER_SECOND = 1_000_000_000;
  private static final int MOST_PROCESSES = 1_000_000;
  private static final double MOST_MICROS = 10_000;
  private static final long MOST_WRITTEN = 20_000_000;
  @Spec private CommandSpec spec;
  @Mixin private final CommandOutput output = new CommandOutput();

  @Option(
      names = "--subjects",
      paramLabel = "N",
      required = true,
      description =
          "subjects that have a key at the same time: those who called since their limit was last"
              + " unused; 1 to 10^12.")
  private long subjects;

  @Option(
      names = "--limit",
      paramLabel = "LIMIT",
      required = true,
      description = "a limit that each request asks; may be repeated.")
  private final List<LimitCandidate> limits = new ArrayList<>();

  @Option(
      names = "--per-second",
      paramLabel = "N",
      required = true,
      description = "requests a second; 1 to 10^9.")
  private long perSecond;

  @Option(
      names = "--processes",
      paramLabel = "N",
      defaultValue = "1",
      description = "processes that ask, 1 to 1,000,000 (default ${DEFAULT-VALUE}).")
  private int processes;

  @Option(
      names = "--micros",
      paramLabel = "US",
      description = {
        "what a call of one tier takes of a server's thread, in µs, for calls that come one by one."
            + " Default: what --check measures there; without it "
            + (int) CapacityPlan.ASSUMED_MICROS
            + " is assumed. benchmarks/scale.py cpu measures yours."
      })
  private @Nullable Double micros;

  @Option(
      names = "--held",
      paramLabel = "N",
      description = "reservations that are held at the same time, up to 10^12: adds their memory.")
  private long held;

  @Option(
      names = "--policy",
      paramLabel = "POLICY",
      defaultValue = "api",
      description = "the name of the policy (default ${DEFAULT-VALUE}).")
  private String policy;

  @Option(
      names = "--subject",
      paramLabel = "SUBJECT",
      defaultValue = "user:10000005",
      description = "a subject as long as yours are (default ${DEFAULT-VALUE}).")
  private String subject;

  @Option(
      names = "--check",
      description =
          "also starts a server, has the scripts charge every subject once, and says how far the"
              + " plan is from its used_memory; up to 20,000,000 subjects.")
  private boolean check;

  @Option(
      names = "--server",
      paramLabel = "FILE",
      description =
          "with --check: a redis-server or valkey-server to start in place of the embedded Redis.")
  private @Nullable String server;

  @Override
  public void run() {
    require("--subjects", subjects, MOST_SUBJECTS);
    require("--per-second", perSecond, MOST_PER_SECOND);
    require("--processes", processes, MOST_PROCESSES);
    if (held != 0) {
      require("--held", held, MOST_SUBJECTS);
    }
    if (micros != null && !(micros > 0 && micros <= MOST_MICROS)) {
      throw new UserErrorException("--micros must be above 0, up to 10,000: " + micros + ".");
    }
    if (server != null && !check) {
      throw new UserErrorException("--server is the one to check on: give --check, too.");
    }
    CapacityPlan plan = plan();
    if (!check) {
      print(new PlanText(plan, held));
      return;
    }
    require("--subjects with --check", subjects, MOST_WRITTEN);
    if (subject.length() < FilledServer.DIGITS) {
      throw new UserErrorException(
          "--subject must have at least " + FilledServer.DIGITS + " characters with --check.");
    }
    OrderlyStop.around(() -> check(plan));
  }

  private CapacityPlan plan() {
    try {
      List<LimitFootprint> each =
          limits.stream().map(limit -> LimitFootprint.of(limit.limit(), policy, subject)).toList();
      return new CapacityPlan(
          each,
          subjects,
          perSecond,
          processes,
          micros == null ? CapacityPlan.ASSUMED_MICROS : micros);
    } catch (IllegalArgumentException wrong) {
      throw new UserErrorException(
          "--policy or --subject: " + SafeText.terminal(String.valueOf(wrong.getMessage())), wrong);
    }
  }

  /* One server has all of the subjects. */
  private void check(CapacityPlan plan) {
    ProgressLine progress = new ProgressLine(spec.commandLine().getErr());
    try (CheckedServer checked = CheckedServer.open(null, server)) {
      checked.run(
          client -> {
            FilledServer filled =
                FilledServer.fill(
                    client,
                    plan.limits(),
                    subjects,
                    done -> progress.update(() -> NumberText.count(done, "subject") + " written"));
            progress.clear();
            PlanText text = new PlanText(plan, held).checked(checked.title(), filled);
            print(micros == null ? text.taking(filled.micros()) : text);
          });
    }
  }

  private void print(PlanText text) {
    output.print(text::lines, text.values());
  }

  private static void require(String option, long value, long most) {
    if (value < 1 || value > most) {
      throw new UserErrorException(
          option + " must be from 1 to " + NumberText.count(most) + ": " + value + ".");
    }
  }
}
