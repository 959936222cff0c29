package io.github.penstock.benchmarks.compare;

import io.github.penstock.benchmarks.CleanStop;
import io.github.penstock.benchmarks.Complaint;
import io.github.penstock.benchmarks.compare.Played.Result;
import io.github.penstock.benchmarks.compare.log.Busiest;
import io.github.penstock.benchmarks.compare.log.LogCount;
import io.github.penstock.benchmarks.compare.log.LogOptions;
import io.github.penstock.benchmarks.compare.log.LogSource;
import io.github.penstock.benchmarks.compare.log.Progress;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import redis.clients.jedis.RedisClient;

/** Plays scenarios and logs on one server. Not safe for use by several threads. */
final class Compare {
  private static final double PERCENT_UNTOUCHED = 99;
  private final RedisClient client;
  private final String prefix;
  private long decisions;
  private int plays;

  /** On keys under a prefix. */
  Compare(RedisClient client, String prefix) {
    this.client = client;
    this.prefix = prefix;
  }

  /** How many decisions were made, all of them the exact model's. */
  long decisions() {
    return decisions;
  }

  /** Plays a scenario against some limits; one that reacts, for each of them by itself. */
  Played scenario(Scenario scenario, List<Candidate> candidates) {
    List<Lane> lanes = lanes(candidates);
    if (scenario.reacts()) {
      lanes.forEach(lane -> play(scenario.source(), List.of(lane)));
    } else {
      play(scenario.source(), lanes);
    }
    return new Played(scenario.title(), scenario.description(), results(lanes));
  }

  /** Plays logs against some limits. */
  LogPlayed log(LogOptions options, List<Candidate> candidates, PrintWriter err) {
    List<Lane> lanes = lanes(candidates);
    Progress progress = Progress.of(err, "playing", options);
    try (LogSource source = new LogSource(options, progress)) {
      play(new Shown(source, progress), lanes);
      LogCount count = readable(source.count(), options);
      String title = options.names();
      String description = "The requests of " + title + ", limited by " + options.subject() + ".";
      return new LogPlayed(new Played(title, description, results(lanes)), count);
    } finally {
      progress.end();
    }
  }

  /** The three algorithms at a rate that all but 1 % of a log's subjects keep to. */
  static List<Candidate> derived(LogOptions options, PrintWriter err) {
    Busiest busiest = new Busiest();
    Progress progress = Progress.of(err, "reading", options);
    try (LogSource source = new LogSource(options, progress)) {
      Shown shown = new Shown(source, progress);
      for (Request request = shown.next(); request != null; request = shown.next()) {
        CleanStop.check();
        busiest.add(request);
      }
      readable(source.count(), options);
    } finally {
      progress.end();
    }
    long perMinute = busiest.perMinute(PERCENT_UNTOUCHED);
    return Stream.of("fixed-window", "leaky-bucket", "token-bucket")
        .map(algorithm -> Candidate.of(algorithm + ":" + perMinute + "/1m"))
        .toList();
  }

  private static LogCount readable(LogCount count, LogOptions options) {
    if (count.requests() > 0) {
      return count;
    }
    String files = options.names();
    if (count.withoutSubject() > 0) {
      throw new Complaint(
          "no request of "
              + files
              + " has a "
              + options.subject()
              + ": name another --subject, such as address.");
    }
    throw new Complaint(
        count.complaints().isEmpty()
            ? "there is no request in " + files + "."
            : "nothing in "
                + files
                + " can be read: "
                + Say.foreign(count.complaints().get(0), 400)
                + ".");
  }

  private void play(Source source, List<Lane> lanes) {
    try (Replay replay = new Replay(client)) {
      replay.play(source, lanes);
      decisions += replay.decisions();
    } catch (OutOfMemoryError full) {
      int remembered = lanes.stream().mapToInt(Lane::remembered).sum();
      lanes.forEach(Lane::forgetAll);
      throw new Complaint(
          "the Java heap is full: "
              + Say.count(remembered)
              + " limits of single subjects were in use at the same time. Give Java more, JAVA_TOOL_OPTIONS=-Xmx4g, or"
              + " compare fewer limits at once.",
          full);
    }
  }

  private List<Lane> lanes(List<Candidate> candidates) {
    List<Lane> lanes = new ArrayList<>();
    for (Candidate candidate : candidates) {
      lanes.add(new Lane(candidate, prefix, candidate.algorithm() + "-" + plays++));
    }
    return lanes;
  }

  private static List<Result> results(List<Lane> lanes) {
    return lanes.stream().map(lane -> new Result(lane.candidate(), lane.tally())).toList();
  }

  /**
   * A log that was played.
   *
   * @param played what came out
   * @param count what was read
   */
  record LogPlayed(Played played, LogCount count) {}
}
