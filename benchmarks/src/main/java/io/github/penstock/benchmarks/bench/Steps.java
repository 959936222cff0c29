package io.github.penstock.benchmarks.bench;

import io.github.penstock.benchmarks.jmh.Algorithm;
import io.github.penstock.benchmarks.jmh.Client;
import io.github.penstock.benchmarks.jmh.Target;
import io.github.penstock.compat.resp.RedisUrl;
import io.github.penstock.compat.resp.RespConnection;
import io.github.penstock.compat.resp.RespError;
import io.github.penstock.compat.server.Executable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Everything that a bench does, in order: first on the server, which is short, then in JMH. */
final class Steps {
  private static final List<Integer> KEYS = List.of(1_000, 10_000, 100_000, 1_000_000);
  private static final int OTHERS_KEYS = 100_000;
  private static final double DECISIONS_A_SECOND = 15_000;
  private static final List<Integer> MASTERS = List.of(1, 2, 3);
  private final Profile profile;
  private final RedisUrl url;
  private final Results results;
  private final List<Step> steps = new ArrayList<>();

  Steps(Profile profile, RedisUrl url, Results results) {
    this.profile = profile;
    this.url = url;
    this.results = results;
  }

  List<Step> list() {
    return steps;
  }

  /**
   * Scripts alone, and how their cost grows with keys and masters.
   *
   * @param executable what a cluster can be started from, null if the server is somebody else's
   */
  Steps scripts(@Nullable Executable executable) {
    boolean ours = executable != null;
    steps.add(
        new Step("server: every script alone", 2 * profile.rounds(), progress -> scripts(ours)));
    GrowthBench growth = new GrowthBench(profile.decisions());
    List<Integer> sizes = KEYS.stream().filter(keys -> ours || keys <= OTHERS_KEYS).toList();
    int rounds = profile.rounds();
    String keys = String.format(Locale.ROOT, "server: among 1,000 to %,d keys", last(sizes));
    steps.add(new Step(keys, 5 + rounds, progress -> add(growth.keys(url, sizes, rounds))));
    if (executable != null) {
      steps.add(
          new Step(
              "clusters: masters: 1, 2, 3",
              8 + rounds * 0.3,
              progress -> add(growth.masters(executable, MASTERS, rounds))));
    }
    return this;
  }

  /** What limiters use of the server. */
  Steps uses(List<Client> clients, @Nullable ReplicatedServer replicated) {
    ServerBench bench = new ServerBench(url, replicated, profile.decisions());
    List<ServerCase> cases = ServerCase.of(profile, clients);
    int rounds = profile.rounds();
    double seconds = cases.size() * (1 + rounds * profile.decisions() / DECISIONS_A_SECOND);
    steps.add(
        new Step(
            "server: what " + cases.size() + " limiters use of it, by turns",
            seconds,
            progress -> {
              bench
                  .measure(cases, rounds, done -> progress.within(done, rounds))
                  .forEach(results::add);
              return cases.size() + " cases";
            }));
    return this;
  }

  /** Every case of the profile that is wanted, in JMH. */
  Steps cases(List<Client> clients, GivenOptions given, JmhRunner runner) {
    for (Group group : Group.of(given.wanted(profile.cases(clients)))) {
      int rounds = given.allRounds(profile);
      steps.add(
          new Step(
              group.label(),
              given.seconds(profile, group),
              progress -> put(runner.run(group, known -> round(known, progress, rounds)))));
    }
    return this;
  }

  private void round(List<Measured> known, Progress progress, int rounds) {
    put(known);
    progress.within(known.get(0).turns().size(), rounds);
  }

  private static int last(List<Integer> sizes) {
    return sizes.get(sizes.size() - 1);
  }

  private String scripts(boolean ours) {
    try (Target target = Target.at(url);
        RespConnection connection = target.connect()) {
      boolean functions = ours && !(connection.call("FUNCTION", "LIST") instanceof RespError);
      List<ScriptCase> cases = ScriptCase.all(functions);
      new ScriptBench(target, connection).measure(cases, profile.rounds()).forEach(results::add);
      return cases.size() + " cases";
    }
  }

  private String add(List<GrowthPoint> points) {
    points.forEach(results::add);
    return micros(points.get(0).micros());
  }

  private String put(List<Measured> measured) {
    measured.forEach(results::put);
    return measured.stream()
        .filter(m -> !m.present())
        .findFirst()
        .map(m -> "failed: " + m.what() + ": " + m.problem())
        .orElseGet(() -> shown(measured));
  }

  private static String shown(List<Measured> measured) {
    String bucket = Case.title(Algorithm.TOKEN_BUCKET);
    return measured.stream()
        .filter(m -> m.what().equals(bucket))
        .findFirst()
        .map(m -> String.format(Locale.ROOT, "%s %,.0f a second", bucket, m.perSecond()))
        .orElse("");
  }

  private static String micros(double micros) {
    return String.format(Locale.ROOT, "%9.2f µs", micros);
  }
}
