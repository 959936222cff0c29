package io.github.penstock.benchmarks.bench;

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
  private static final int[] KEYS = {1_000, 10_000, 100_000, 1_000_000};
  private static final int OTHERS_KEYS = 100_000;
  private static final int[] MASTERS = {1, 2, 3};
  /* A JVM, its client and its subjects. */
  private static final double FORK_SECONDS = 2;
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
    steps.add(new Step("server: every script alone", 2 * profile.rounds(), () -> scripts(ours)));
    GrowthBench growth = new GrowthBench(profile.decisions());
    for (int keys : KEYS) {
      if (ours || keys <= OTHERS_KEYS) {
        String label = String.format(Locale.ROOT, "server: among %,d keys", keys);
        steps.add(new Step(label, 1, () -> add(growth.keys(url, keys, profile.rounds()))));
      }
    }
    if (executable != null) {
      for (int masters : MASTERS) {
        String label = "cluster: masters: " + masters;
        steps.add(new Step(label, 4, () -> add(List.of(growth.masters(executable, masters)))));
      }
    }
    return this;
  }

  /** What limiters use of the server. */
  Steps uses(List<Client> clients, @Nullable ReplicatedServer replicated) {
    ServerBench bench = new ServerBench(url, replicated, profile.decisions());
    for (ServerCase next : ServerCase.of(profile, clients)) {
      steps.add(new Step(next.label(), 1.5, () -> add(bench.measure(next))));
    }
    return this;
  }

  /** Every case of the profile, in JMH. */
  Steps cases(List<Client> clients, JmhRunner runner) {
    double seconds = FORK_SECONDS + profile.seconds() * (profile.warmups() + profile.iterations());
    for (Case next : profile.cases(clients)) {
      steps.add(new Step(next.label(), seconds, () -> add(runner.run(next))));
    }
    return this;
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

  private String add(ServerUse use) {
    results.add(use);
    return use.problem() == null ? micros(use.commandMicros()) : "failed: " + use.problem();
  }

  private String add(Measured measured) {
    results.add(measured);
    return measured.present()
        ? String.format(Locale.ROOT, "%,9.0f a second", measured.perSecond())
        : "failed: " + measured.problem();
  }

  private static String micros(double micros) {
    return String.format(Locale.ROOT, "%9.2f µs", micros);
  }
}
