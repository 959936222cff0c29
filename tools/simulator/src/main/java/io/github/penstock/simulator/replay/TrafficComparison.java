package io.github.penstock.simulator.replay;

import io.github.penstock.report.console.ProgressLine;
import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.report.text.NumberText;
import io.github.penstock.simulator.advice.DemandProfile;
import io.github.penstock.simulator.log.LogCount;
import io.github.penstock.simulator.log.SortedLog;
import io.github.penstock.simulator.replay.ReplayResult.LimitResult;
import io.github.penstock.simulator.stats.LeaseStats;
import io.github.penstock.simulator.traffic.LeaseSettings;
import io.github.penstock.simulator.traffic.LimitCandidate;
import io.github.penstock.simulator.traffic.RequestSource;
import io.github.penstock.simulator.traffic.SubjectSample;
import io.github.penstock.simulator.traffic.SubjectShare;
import io.github.penstock.simulator.traffic.TrafficScenario;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.RedisClient;

/** Plays scenarios and logs. Not safe for use by several threads. */
public final class TrafficComparison {
  /* Of the states of subjects, which are played in as many parts as it takes, one after the other. */
  private static final long MOST_BYTES = 384L << 20;
  private static final long SHARE_OF_HEAP = 4;
  private static final long BYTES_OF_A_SUBJECT = 200;
  private static final long BYTES_OF_A_TIER = 150;
  private final RedisClient server;
  private final int threads;
  private final String prefix;
  private long decisions;
  private long checked;
  private int plays;

  public TrafficComparison(RedisClient server, int threads, String prefix) {
    this.server = server;
    this.threads = threads;
    this.prefix = prefix;
  }

  /** Returns how many decisions were made, all of them the exact model's. */
  public long decisions() {
    return decisions;
  }

  /** Returns how many of them the scripts made, too, all of them the same. */
  public long checked() {
    return checked;
  }

  /**
   * Plays a scenario against some limits; one that reacts, for each of them by itself.
   *
   * @param leases of processes that are played beside, if any
   */
  public ReplayResult scenario(
      TrafficScenario scenario, List<LimitCandidate> candidates, @Nullable LeaseSettings leases) {
    List<LimitReplay> replays = replays(candidates, leases);
    if (scenario.reacts()) {
      play(replays, replay -> replays.forEach(limit -> replay.react(scenario.source(), limit)));
    } else {
      play(replays, replay -> replay.play(scenario.source(), replays));
    }
    return new ReplayResult(
        scenario.title(), scenario.description(), null, SubjectSample.ALL, results(replays));
  }

  /**
   * Plays a log against some limits; against those that its subjects suggest if there are none.
   *
   * @param demand of its subjects
   * @param leases of processes that are played beside, if any
   * @param check the decisions that the scripts make, too; null for about 100,000 of them
   * @param deadlineUs an admitted request that is put off for longer is not served
   */
  public LogPlayed log(
      SortedLog log,
      DemandProfile demand,
      List<LimitCandidate> limits,
      @Nullable LeaseSettings leases,
      @Nullable CheckShare check,
      long deadlineUs,
      PrintWriter err) {
    List<LimitReplay> replays = replays(limits.isEmpty() ? demand.limits() : limits, leases);
    CheckShare checking =
        check == null ? CheckShare.usual(replays.size(), log.size(), log.subjects()) : check;
    replays.forEach(limit -> limit.begin(log.firstUs(), log.sample(), checking, deadlineUs));
    ProgressLine progress = new ProgressLine(err);
    play(replays, replay -> parts(log, replays, progress, replay));
    progress.clear();
    String title = log.settings().names();
    String subject = log.settings().subject().toString();
    String description = "The requests of " + title + ", limited by " + subject + ".";
    ReplayResult played =
        new ReplayResult(title, description, log.settings().zone(), log.sample(), results(replays));
    return new LogPlayed(
        played, log.count(), demand, subject, limits.isEmpty(), log.settings().timeZone() != null);
  }

  /* Subjects do not depend on each other, but processes that lease have one clock. */
  private static void parts(
      SortedLog log, List<LimitReplay> replays, ProgressLine progress, TrafficReplay replay) {
    long bytes = replays.stream().mapToLong(TrafficComparison::bytesOfASubject).sum();
    long most = Math.min(MOST_BYTES, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);
    boolean leases = replays.get(0).leasing() != null;
    long[] asked = {0};
    long number = leases ? 1 : 1 + log.subjects() * bytes / most;
    for (SubjectShare part : SubjectShare.parts(number)) {
      RequestSource source = log.source(part);
      replay.play(
          () -> {
            asked[0]++;
            progress.update(
                () ->
                    "playing  %s of %s"
                        .formatted(
                            NumberText.percent(asked[0], log.size()),
                            NumberText.count(log.size(), "request")));
            return source.next();
          },
          replays);
      if (number > 1) {
        replay.endPart(replays);
      }
    }
  }

  private static long bytesOfASubject(LimitReplay limit) {
    return BYTES_OF_A_SUBJECT + BYTES_OF_A_TIER * limit.candidate().limit().tiers().size();
  }

  private void play(List<LimitReplay> replays, Consumer<TrafficReplay> work) {
    try (TrafficReplay replay = new TrafficReplay(server, threads)) {
      work.accept(replay);
      decisions += replay.decisions();
      checked += replay.checked();
    } catch (OutOfMemoryError full) {
      int remembered = replays.stream().mapToInt(LimitReplay::remembered).sum();
      replays.forEach(LimitReplay::forgetAll);
      throw new UserErrorException(
          ("the Java heap is full: %s limits of single subjects were in use at the same time."
                  + " Give Java more, JAVA_TOOL_OPTIONS=-Xmx4g, or compare fewer limits at once.")
              .formatted(NumberText.count(remembered)),
          full);
    }
  }

  private List<LimitReplay> replays(
      List<LimitCandidate> candidates, @Nullable LeaseSettings leases) {
    List<LimitReplay> replays = new ArrayList<>();
    for (LimitCandidate candidate : candidates) {
      String policy = candidate.algorithm() + "-" + plays++;
      replays.add(new LimitReplay(candidate, prefix, policy, leases));
    }
    return replays;
  }

  private static List<LimitResult> results(List<LimitReplay> replays) {
    return replays.stream()
        .map(limit -> new LimitResult(limit.candidate(), limit.stats(), leases(limit)))
        .toList();
  }

  private static @Nullable LeaseStats leases(LimitReplay limit) {
    return limit.leasing() == null ? null : limit.leasing().stats();
  }

  /**
   * A log that was played.
   *
   * @param played the results
   * @param count the counts of the log
   * @param demand of its subjects
   * @param subject the limited subject, as it was given
   * @param derived whether the limits were worked out from the log
   * @param zoneGiven whether a zone was given for times that name none
   */
  public record LogPlayed(
      ReplayResult played,
      LogCount count,
      DemandProfile demand,
      String subject,
      boolean derived,
      boolean zoneGiven) {}
}
