package io.github.penstock.benchmarks.bench;

import io.github.penstock.benchmarks.CleanStop;
import io.github.penstock.benchmarks.jmh.Decider;
import io.github.penstock.benchmarks.jmh.Deciders;
import io.github.penstock.benchmarks.jmh.Session;
import io.github.penstock.benchmarks.jmh.Target;
import io.github.penstock.benchmarks.jmh.Workload;
import io.github.penstock.compat.resp.RedisUrl;
import io.github.penstock.compat.resp.RespConnection;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Measures what limiters use of the server, by its own counters. Memory and replication are
 * measured once for each limiter and workload: they do not depend on the client. Not safe for use
 * by several threads.
 */
final class ServerBench {
  private static final int SUBJECTS = 100;
  private static final int LATER = 100;
  private static final int REPLICATED = 800;
  private final RedisUrl url;
  private final @Nullable ReplicatedServer replicated;
  private final int decisions;
  private final Set<String> known = new HashSet<>();

  /**
   * On a server.
   *
   * @param replicated another one, with a replica, so that replicating is not in the other figures;
   *     null if there is none
   */
  ServerBench(RedisUrl url, @Nullable ReplicatedServer replicated, int decisions) {
    this.url = url;
    this.replicated = replicated;
    this.decisions = decisions / Profile.THREADS * Profile.THREADS;
  }

  /**
   * Measures all of them by turns; what goes wrong is in the answers.
   *
   * @param rounds how many turns each has; the one that took the least counts
   * @param done called after each round with how many are done
   */
  List<ServerUse> measure(List<ServerCase> cases, int rounds, IntConsumer done) {
    List<Subject> subjects = new ArrayList<>();
    try {
      cases.forEach(each -> subjects.add(new Subject(each)));
      for (int round = 1; round <= rounds; round++) {
        subjects.forEach(Subject::turn);
        done.accept(round);
      }
    } finally {
      subjects.forEach(Subject::close);
    }
    return subjects.stream().map(Subject::use).toList();
  }

  /** A limiter that is ready for its turns. */
  private final class Subject {
    private final ServerCase what;
    private final Target target = Target.at(url);
    private @Nullable Session session;
    private @Nullable Decider decider;
    private @Nullable ServerStats least;
    private @Nullable String problem;

    Subject(ServerCase what) {
      this.what = what;
      attempt(
          () -> {
            Session opened = what.client().open(target);
            session = opened;
            Decider made = Deciders.prepared(what.maker().apply(opened, target), what.workload());
            Load.run(made, what.workload(), decisions);
            decider = made;
          });
    }

    void turn() {
      Decider ready = decider;
      if (ready != null && problem == null) {
        attempt(() -> keepIfLess(used(ready)));
      }
    }

    ServerUse use() {
      ServerStats used = least;
      return used == null || problem != null
          ? failed(what, String.valueOf(problem))
          : withMemory(what, used);
    }

    void close() {
      Session opened = session;
      if (opened != null) {
        opened.close();
      }
      target.close();
    }

    private ServerStats used(Decider ready) {
      try (RespConnection connection = target.connect()) {
        ServerStats before = ServerStats.read(connection);
        Load.run(ready, what.workload(), decisions);
        return ServerStats.read(connection).since(before);
      }
    }

    private void keepIfLess(ServerStats used) {
      int gets = what.getsOfScripts();
      ServerStats known = least;
      if (known == null || used.commandMicros(gets) < known.commandMicros(gets)) {
        least = used;
      }
    }

    private void attempt(Runnable work) {
      try {
        work.run();
      } catch (IllegalStateException failure) {
        CleanStop.check();
        problem = String.valueOf(failure.getMessage());
      }
    }
  }

  private ServerUse withMemory(ServerCase what, ServerStats used) {
    boolean first = known.add(what.what() + what.workload());
    boolean allowed = first && what.workload() == Workload.ALLOWED;
    return use(
        what,
        used,
        first ? replicated(what) : -1,
        allowed ? memory(what, 1) : -1,
        allowed ? memory(what, LATER) : -1);
  }

  private ServerUse use(
      ServerCase what, ServerStats used, double replicated, double memory, double later) {
    return new ServerUse(
        what.what(),
        what.client().title(),
        what.workload().name(),
        used.commandMicros(what.getsOfScripts()) / decisions,
        used.processorMicros() / decisions,
        (double) used.commands() / decisions,
        (double) used.bytesIn() / decisions,
        (double) used.bytesOut() / decisions,
        replicated,
        memory,
        later,
        null);
  }

  private double replicated(ServerCase what) {
    if (replicated == null || what.workload() == Workload.HOT) {
      return -1;
    }
    try (Target target = Target.at(replicated.url());
        Session session = what.client().open(target);
        RespConnection connection = target.connect()) {
      Decider decider = Deciders.prepared(what.maker().apply(session, target), what.workload());
      Load.run(decider, what.workload(), REPLICATED);
      ServerStats before = ServerStats.read(connection);
      Load.run(decider, what.workload(), REPLICATED);
      return (double) ServerStats.read(connection).since(before).replicated() / REPLICATED;
    }
  }

  /** Bytes of memory per subject, all its keys together, after so many charges of each. */
  private double memory(ServerCase what, int charges) {
    try (Target target = Target.at(url);
        Session session = what.client().open(target);
        RespConnection connection = target.connect()) {
      Decider decider = what.maker().apply(session, target);
      long settled = MemoryUse.under(target, connection);
      for (int subject = 0; subject < SUBJECTS; subject++) {
        for (int charge = 0; charge < charges; charge++) {
          decider.decide(subject);
        }
      }
      long bytes = MemoryUse.under(target, connection);
      // What a limiter keeps for each of the workload's subjects before the first call is its own.
      return (double) (bytes - settled) / SUBJECTS + (double) settled / what.workload().subjects();
    }
  }

  private static ServerUse failed(ServerCase what, String problem) {
    return new ServerUse(
        what.what(),
        what.client().title(),
        what.workload().name(),
        0,
        0,
        0,
        0,
        0,
        -1,
        -1,
        -1,
        problem);
  }
}
