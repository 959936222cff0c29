package io.github.penstock.cli;

import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.simulator.replay.CheckShare;
import io.github.penstock.simulator.traffic.SubjectShare;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How traffic is replayed; none of it changes a figure. */
final class ReplayOptions {
  private static final int MOST_THREADS = 64;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description =
          "how many threads play, 1 to "
              + MOST_THREADS
              + ". No figure depends on it (default: one for each processor).")
  private @Nullable Integer threads;

  @Option(
      names = "--check",
      paramLabel = "1/N",
      description =
          "has the scripts decide about one in N subjects of a log, chosen by a hash of their names; all for everybody."
              + " The exact model decides about everybody. Default: about 100,000 decisions.")
  private @Nullable SubjectShare check;

  /** The decisions that the scripts make; null for the usual number. */
  @Nullable CheckShare check() {
    return check == null ? null : CheckShare.of(check);
  }

  /** Throws a {@link UserErrorException} if the number is out of bounds. */
  int threads() {
    if (threads == null) {
      return Math.min(Runtime.getRuntime().availableProcessors(), MOST_THREADS);
    }
    if (threads < 1 || threads > MOST_THREADS) {
      throw new UserErrorException(
          "--threads must be from 1 to " + MOST_THREADS + ": " + threads + ".");
    }
    return threads;
  }
}
