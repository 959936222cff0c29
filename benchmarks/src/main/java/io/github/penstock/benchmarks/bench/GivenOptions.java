package io.github.penstock.benchmarks.bench;

import io.github.penstock.benchmarks.Complaint;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** JMH's own options, as they were given to a bench: they win over the profile's. Immutable. */
final class GivenOptions {
  /* A JVM, its clients and their subjects. */
  private static final double FORK_SECONDS = 4;
  private final CommandLineOptions options;
  private final List<Pattern> includes;

  private GivenOptions(CommandLineOptions options) {
    this.options = options;
    includes = options.getIncludes().stream().map(Pattern::compile).toList();
  }

  /** Reads what JMH would read; throws {@link Complaint} about what it or a bench cannot take. */
  static GivenOptions of(List<String> arguments) {
    try {
      GivenOptions given =
          new GivenOptions(new CommandLineOptions(arguments.toArray(String[]::new)));
      given.check();
      return given;
    } catch (CommandLineOptionException | PatternSyntaxException wrong) {
      throw new Complaint("JMH does not understand what follows --: " + wrong.getMessage(), wrong);
    }
  }

  private void check() {
    if (options.getThreads().hasValue() || !options.getBenchModes().isEmpty()) {
      throw new Complaint(
          "-t and -bm belong to what bench measures: use ./penstock jmh, which leaves them to you.");
    }
    boolean asksOnly =
        options.shouldHelp()
            || options.shouldList()
            || options.shouldListWithParams()
            || options.shouldListProfilers()
            || options.shouldListResultFormats();
    if (asksOnly) {
      throw new Complaint("JMH answers -h and -l... itself: use ./penstock jmh.");
    }
  }

  /** Throws a {@link Complaint} if none of these cases is among the chosen. */
  void checkThatSomeAreIn(List<Case> cases, List<String> arguments) {
    checkParameters(cases, arguments);
    if (cases.stream().noneMatch(this::includes)) {
      throw new Complaint(
          "nothing of this profile and these clients is what was asked for behind --: "
              + String.join(" ", arguments)
              + ". There are:\n"
              + String.join("\n", choices(cases)));
    }
  }

  /* Each benchmark with its parameters and their values. */
  private static List<String> choices(List<Case> cases) {
    Map<String, Map<String, Set<String>>> all = new LinkedHashMap<>();
    for (Case one : cases) {
      String name = one.question().benchmark();
      Map<String, Set<String>> values =
          all.computeIfAbsent(
              name.substring(name.lastIndexOf('.') + 1), benchmark -> new TreeMap<>());
      one.parameters()
          .forEach(
              (key, value) -> values.computeIfAbsent(key, k -> new LinkedHashSet<>()).add(value));
    }
    List<String> lines = new ArrayList<>();
    all.forEach(
        (benchmark, parameters) -> {
          lines.add("  " + benchmark);
          parameters.forEach(
              (key, values) -> lines.add("    -p " + key + "=" + String.join(",", values)));
        });
    return lines;
  }

  /* JMH takes any name, and one that no benchmark has would choose nothing. */
  private static void checkParameters(List<Case> cases, List<String> arguments) {
    Set<String> known = new TreeSet<>();
    cases.forEach(one -> known.addAll(one.parameters().keySet()));
    for (int i = 0; i < arguments.size(); i++) {
      boolean alone = arguments.get(i).equals("-p") && i + 1 < arguments.size();
      String parameter = alone ? arguments.get(i + 1) : arguments.get(i).replaceFirst("^-p=?", "");
      String name = parameter.replaceFirst("=.*", "");
      boolean given = alone || arguments.get(i).matches("-p=?(?!rof=)\\w+=.*");
      if (given && !known.contains(name)) {
        throw new Complaint(
            "-p "
                + name
                + " is no parameter of a benchmark; they are "
                + String.join(", ", known)
                + ".");
      }
    }
  }

  /** Whether there is a choice of benchmarks, so that nothing on the server is wanted. */
  boolean choose() {
    return !includes.isEmpty();
  }

  /**
   * The cases that are to be measured, in their order: those that fit the options, and if
   * benchmarks were chosen also what the ratios of those are to.
   */
  List<Case> wanted(List<Case> cases) {
    List<Case> chosen = cases.stream().filter(this::includes).toList();
    if (!choose()) {
      return chosen;
    }
    return cases.stream()
        .filter(one -> chosen.contains(one) || chosen.stream().anyMatch(c -> c.needs(one)))
        .toList();
  }

  /** Whether a case is among the chosen, by the name of its benchmark and by its parameters. */
  boolean includes(Case what) {
    String name = what.question().benchmark();
    boolean named = includes.isEmpty() || includes.stream().anyMatch(i -> i.matcher(name).find());
    return named && what.parameters().entrySet().stream().allMatch(this::wanted);
  }

  private boolean wanted(Map.Entry<String, String> parameter) {
    Collection<String> values = options.getParameter(parameter.getKey()).orElse(List.of());
    return values.isEmpty() || values.contains(parameter.getValue());
  }

  /** Whether profilers were asked for, whose figures somebody wants to see. */
  boolean profiles() {
    return !options.getProfilers().isEmpty();
  }

  /**
   * The profile's options where no other was given. An iteration of each that takes turns is meant
   * by one iteration. What was chosen is a case, not the benchmark in which it has its turns.
   */
  ChainedOptionsBuilder over(Profile profile, Group group) {
    String benchmark = Pattern.quote(group.benchmark().getName() + ".");
    ChainedOptionsBuilder builder =
        new OptionsBuilder()
            .parent(options)
            .include("^" + benchmark)
            .exclude("^(?!" + benchmark + ")")
            .forks(forks())
            .warmupIterations(group.size() * warmups(profile))
            .measurementIterations(group.size() * rounds(profile))
            .warmupTime(options.getWarmupTime().orElse(profile.turn(group)))
            .measurementTime(turn(profile.turn(group)))
            .timeout(options.getTimeout().orElse(TimeValue.seconds(60)));
    boolean asked = options.getProfilers().stream().anyMatch(p -> p.getKlass().equals("gc"));
    return asked ? builder : builder.addProfiler(GCProfiler.class);
  }

  /** How many rounds are measured, all processes together. */
  int allRounds(Profile profile) {
    return forks() * rounds(profile);
  }

  /** How long a group should take. */
  double seconds(Profile profile, Group group) {
    double warmup = warmups(profile) * seconds(options.getWarmupTime().orElse(profile.turn(group)));
    double measurement = rounds(profile) * seconds(turn(profile.turn(group)));
    return forks() * (FORK_SECONDS + group.size() * (warmup + measurement));
  }

  /** How long a measured turn takes. */
  TimeValue turn(TimeValue usual) {
    return options.getMeasurementTime().orElse(usual);
  }

  /** In how many processes, one after the other, each group is measured. */
  int forks() {
    return Math.max(1, options.getForkCount().orElse(1));
  }

  /** How many turns each has before it is measured. */
  int warmups(Profile profile) {
    return options.getWarmupIterations().orElse(profile.warmups());
  }

  /** In how many turns each is measured, in each process. */
  int rounds(Profile profile) {
    return Math.max(1, options.getMeasurementIterations().orElse(profile.turns()));
  }

  private static double seconds(TimeValue time) {
    return time.convertTo(TimeUnit.MILLISECONDS) / 1e3;
  }
}
