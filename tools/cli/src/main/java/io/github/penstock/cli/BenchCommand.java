package io.github.penstock.cli;

import io.github.penstock.benchmarks.limiter.RedisClientType;
import io.github.penstock.benchmarks.plan.BenchmarkProfile;
import io.github.penstock.benchmarks.plan.BenchmarkSelection;
import io.github.penstock.benchmarks.plan.JmhOptions;
import io.github.penstock.benchmarks.run.BenchFacts;
import io.github.penstock.benchmarks.run.BenchmarkRun;
import io.github.penstock.operations.server.CheckedServer;
import io.github.penstock.report.ReportFiles;
import io.github.penstock.report.RunFacts;
import io.github.penstock.report.console.OrderlyStop;
import io.github.penstock.report.console.UserErrorException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Measures the cost of each algorithm with each client, here. */
@Command(
    name = "bench",
    header =
        "Measures what each algorithm costs with each client, compared with floors and other"
            + " limiters.",
    description = {
      "Measures every algorithm through every client, compared with the least that a call can cost"
          + " and with other limiters, and shows what each decision uses of the server; then writes"
          + " a report (HTML) and its figures (JSON). Ctrl-C ends it and leaves a report of what"
          + " was measured so far.",
      "Without --redis or --server an embedded Redis is started."
    },
    mixinStandardHelpOptions = true)
final class BenchCommand implements Runnable {
  @Spec private CommandSpec spec;
  @Mixin private final ServerOptions options = new ServerOptions();

  @Option(
      names = "--profile",
      paramLabel = "quick|full",
      defaultValue = "quick",
      converter = ProfileConverter.class,
      description = "quick: about 7 minutes; full: about two hours (default ${DEFAULT-VALUE}).")
  private BenchmarkProfile profile;

  @Option(
      names = "--client",
      paramLabel = "CLIENT",
      split = ",",
      description = "only these clients: ${COMPLETION-CANDIDATES}.")
  private final Set<RedisClientType> clients = EnumSet.noneOf(RedisClientType.class);

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "penstock-report",
      description = "where bench.html and bench.json go (default ${DEFAULT-VALUE}).")
  private Path directory;

  @Parameters(
      paramLabel = "JMH OPTIONS",
      arity = "0..*",
      description =
          "after --: JMH's own options, such as -f 3 -wi 5 -prof gc; they override the profile's. A"
              + " regular expression selects cases by their names, such as"
              + " LETTUCE/8/ALGORITHM/TOKEN_BUCKET/ALLOWED/1; what they are compared with is"
              + " measured as well. For -t, -bm and -p run penstock jmh.")
  private final List<String> jmh = new ArrayList<>();

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    URI redis = options.redis();
    if (redis != null && "rediss".equals(redis.getScheme())) {
      throw new UserErrorException("bench does not support TLS: give the server's redis:// port.");
    }
    List<RedisClientType> chosen =
        clients.isEmpty() ? Arrays.asList(RedisClientType.values()) : List.copyOf(clients);
    JmhOptions given = JmhOptions.of(jmh);
    given.checkThatSomeAreIn(profile.cases(chosen), jmh);
    ReportFiles files = new ReportFiles(directory, "bench");
    OrderlyStop.around(() -> run(out, new BenchmarkSelection(profile, chosen, given), files));
  }

  private void run(PrintWriter out, BenchmarkSelection selection, ReportFiles files) {
    try (CheckedServer server = options.open()) {
      out.println("Server: " + server.title());
      RunFacts facts = BenchFacts.of(server.title(), selection).command(arguments());
      BenchmarkRun run = new BenchmarkRun(selection, facts, files, out);
      server.run(client -> run.on(server.url(), client, server.isOurs()));
    }
  }

  private List<String> arguments() {
    return spec.root().commandLine().getParseResult().originalArgs();
  }

  /** As picocli wants it. */
  static final class ProfileConverter implements ITypeConverter<BenchmarkProfile> {
    @Override
    public BenchmarkProfile convert(String value) {
      return switch (value.toLowerCase(Locale.ROOT)) {
        case "quick" -> BenchmarkProfile.QUICK;
        case "full" -> BenchmarkProfile.FULL;
        default -> throw new TypeConversionException("must be quick or full, not '" + value + "'");
      };
    }
  }
}
