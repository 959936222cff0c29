package io.github.penstock.benchmarks.plan;

import io.github.penstock.report.console.UserErrorException;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** JMH's own options, as they were given to a bench: they win over the profile's. Immutable. */
public final class JmhOptions {
  private static final String BENCHMARK =
      Pattern.quote("io.github.penstock.benchmarks.jmh.InterleavedBenchmark.");
  private static final String PARAMETER = "-p(?!rof\\b).*";
  private final CommandLineOptions options;
  private final List<Pattern> includes;

  private JmhOptions(CommandLineOptions options) {
    this.options = options;
    includes = options.getIncludes().stream().map(Pattern::compile).toList();
  }

  /**
   * Parses JMH's options; throws {@link UserErrorException} for those that JMH or a bench does not
   * accept.
   */
  public static JmhOptions of(List<String> arguments) {
    try {
      JmhOptions given = new JmhOptions(new CommandLineOptions(arguments.toArray(String[]::new)));
      given.check(arguments);
      return given;
    } catch (CommandLineOptionException | PatternSyntaxException wrong) {
      throw new UserErrorException(
          "JMH does not understand what follows --: " + wrong.getMessage(), wrong);
    }
  }

  private void check(List<String> arguments) {
    if (arguments.stream().anyMatch(each -> each.matches(PARAMETER))) {
      throw new UserErrorException(
          "-p is for ./penstock jmh: bench measures the cases whose names match, such as 'LETTUCE/8/PEER/.*/HOT/'.");
    }
    if (options.getThreads().hasValue() || !options.getBenchModes().isEmpty()) {
      throw new UserErrorException(
          "-t and -bm are set by bench itself: choose them with ./penstock jmh.");
    }
    boolean asksOnly =
        options.shouldHelp()
            || options.shouldList()
            || options.shouldListWithParams()
            || options.shouldListProfilers()
            || options.shouldListResultFormats();
    if (asksOnly) {
      throw new UserErrorException("JMH answers -h and -l... itself: use ./penstock jmh.");
    }
  }

  /** Throws a {@link UserErrorException} if none of these cases is among the chosen. */
  public void checkThatSomeAreIn(List<BenchmarkCase> cases, List<String> arguments) {
    if (cases.stream().noneMatch(this::includes)) {
      throw new UserErrorException(
          "no case of this profile and these clients matches %s. They are:\n  %s"
              .formatted(
                  String.join(" ", arguments),
                  cases.stream().map(BenchmarkCase::name).collect(Collectors.joining("\n  "))));
    }
  }

  /** Returns whether there is a choice of cases, so that nothing on the server is wanted. */
  public boolean choose() {
    return !includes.isEmpty();
  }

  /**
   * The cases to measure, in their order: those that match the options, and if some were chosen
   * also the bases of their ratios.
   */
  public List<BenchmarkCase> wanted(List<BenchmarkCase> cases) {
    List<BenchmarkCase> chosen = cases.stream().filter(this::includes).toList();
    if (!choose()) {
      return chosen;
    }
    return cases.stream()
        .filter(one -> chosen.contains(one) || chosen.stream().anyMatch(c -> c.needs(one)))
        .toList();
  }

  /** Returns whether a case is among the chosen, by its name. */
  boolean includes(BenchmarkCase what) {
    return !choose() || includes.stream().anyMatch(each -> each.matcher(what.name()).find());
  }

  /** Returns whether profilers were asked for, whose figures somebody wants to see. */
  public boolean profiles() {
    return !options.getProfilers().isEmpty();
  }

  /**
   * The profile's options where no other was given. An iteration of each that is interleaved is
   * meant by one iteration. The options choose cases, not the benchmark that interleaves them.
   */
  public ChainedOptionsBuilder over(BenchmarkProfile profile, CaseGroup group) {
    ChainedOptionsBuilder builder =
        new OptionsBuilder()
            .parent(options)
            .include("^" + BENCHMARK)
            .exclude("^(?!" + BENCHMARK + ")")
            .forks(forks())
            .warmupIterations(group.size() * warmups(profile))
            .measurementIterations(group.size() * rounds(profile))
            .warmupTime(options.getWarmupTime().orElse(profile.iterationTime(group)))
            .measurementTime(iterationTime(profile.iterationTime(group)))
            .timeout(options.getTimeout().orElse(TimeValue.seconds(60)));
    boolean asked = options.getProfilers().stream().anyMatch(p -> p.getKlass().equals("gc"));
    return asked ? builder : builder.addProfiler(GCProfiler.class);
  }

  /** Returns how long a measured iteration takes. */
  public TimeValue iterationTime(TimeValue usual) {
    return options.getMeasurementTime().orElse(usual);
  }

  /** In how many processes, one after the other, each group is measured. */
  public int forks() {
    return Math.max(1, options.getForkCount().orElse(1));
  }

  /** Returns how many iterations each has before it is measured. */
  public int warmups(BenchmarkProfile profile) {
    return options.getWarmupIterations().orElse(profile.warmups());
  }

  /** In how many iterations each is measured, in each process. */
  public int rounds(BenchmarkProfile profile) {
    return Math.max(1, options.getMeasurementIterations().orElse(profile.iterations()));
  }
}
