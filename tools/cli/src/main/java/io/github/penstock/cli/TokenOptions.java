package io.github.penstock.cli;

import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.simulator.log.TokenLog.CallNumbers;
import io.github.penstock.simulator.record.NumberRule;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The duration, estimate and actual use of each call of a log; with it, four ways to charge are
 * compared.
 */
final class TokenOptions {
  @Option(
      names = "--duration",
      paramLabel = "SECONDS",
      description =
          "how long each call of a log took: field:NAME, field:NAME/1000 for milliseconds, or a number of seconds. Together"
              + " with --estimated and --used: compares four ways to charge what is known only at the end.")
  private @Nullable NumberRule duration;

  @Option(
      names = "--estimated",
      paramLabel = "UNITS",
      description =
          "what each call was expected to use when it began: field:NAME, field:NAME/DIVISOR, or one number for all.")
  private @Nullable NumberRule estimated;

  @Option(
      names = "--used",
      paramLabel = "UNITS",
      description = "what each call used in the end: field:NAME or field:NAME/DIVISOR.")
  private @Nullable NumberRule used;

  /** The numbers of a call; null if none of them is given. */
  @Nullable CallNumbers numbers() {
    if (duration == null && estimated == null && used == null) {
      return null;
    }
    if (duration == null || estimated == null || used == null) {
      throw new UserErrorException(
          "--duration, --estimated and --used are given together, or none.");
    }
    return new CallNumbers(duration, estimated, used);
  }
}
