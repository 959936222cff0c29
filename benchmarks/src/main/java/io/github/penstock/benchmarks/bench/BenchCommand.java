package io.github.penstock.benchmarks.bench;

import io.github.penstock.benchmarks.CleanStop;
import io.github.penstock.benchmarks.Complaint;
import io.github.penstock.benchmarks.Server;
import io.github.penstock.benchmarks.ServerOptions;
import io.github.penstock.benchmarks.jmh.Client;
import io.github.penstock.benchmarks.report.Facts;
import io.github.penstock.benchmarks.report.ReportFiles;
import io.github.penstock.compat.server.ServerSource;
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

/** What each algorithm costs with each client, here. */
@Command(
    name = "bench",
    header = "What each algorithm costs with each client, beside floors and other limiters.",
    description = {
      "Measures every algorithm through every client beside the least that a call can cost and beside other"
          + " limiters, and what each decision uses of the server; then writes a report (HTML) and its figures"
          + " (JSON). Ctrl-C ends it and leaves a report of what was measured so far.",
      "Without options an embedded Redis is started for it."
    },
    mixinStandardHelpOptions = true)
public final class BenchCommand implements Runnable {
  @Spec private CommandSpec spec;
  @Mixin private final ServerOptions options = new ServerOptions();

  @Option(
      names = "--profile",
      paramLabel = "quick|full",
      defaultValue = "quick",
      converter = ProfileConverter.class,
      description =
          "quick: under 5 minutes; full: about an hour and a half (default ${DEFAULT-VALUE}).")
  private Profile profile;

  @Option(
      names = "--client",
      paramLabel = "CLIENT",
      split = ",",
      description = "only these clients: ${COMPLETION-CANDIDATES}.")
  private final Set<Client> clients = EnumSet.noneOf(Client.class);

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
          "behind --: JMH's own options, such as -f 3 -wi 5 -prof gc, which win over the profile's; a regular"
              + " expression chooses benchmarks, and then only what their ratios are to is measured beside them. -t and -bm are for"
              + " ./penstock jmh.")
  private final List<String> jmh = new ArrayList<>();

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    URI redis = options.redis();
    if (redis != null && "rediss".equals(redis.getScheme())) {
      throw new Complaint("bench measures without TLS: give the server's redis:// port.");
    }
    GivenOptions given = GivenOptions.of(jmh);
    given.checkThatSomeAreIn(profile.cases(chosen()), jmh);
    ReportFiles files = new ReportFiles(directory, "bench");
    CleanStop.around(() -> run(out, given, files));
  }

  private void run(PrintWriter out, GivenOptions given, ReportFiles files) {
    try (Server server = Server.open(options)) {
      out.println("Server: " + server.title());
      Facts facts = BenchFacts.of(server, profile, given, chosen()).command(arguments());
      ServerSource source = server.isOurs() ? Server.source(options.server()) : null;
      new Bench(server, source, profile, chosen(), given, facts, files, out).run();
    }
  }

  private List<Client> chosen() {
    return clients.isEmpty() ? Arrays.asList(Client.values()) : List.copyOf(clients);
  }

  private List<String> arguments() {
    return spec.root().commandLine().getParseResult().originalArgs();
  }

  /** As picocli wants it. */
  static final class ProfileConverter implements ITypeConverter<Profile> {
    @Override
    public Profile convert(String value) {
      return switch (value.toLowerCase(Locale.ROOT)) {
        case "quick" -> Profile.QUICK;
        case "full" -> Profile.FULL;
        default -> throw new TypeConversionException("must be quick or full, not '" + value + "'");
      };
    }
  }
}
