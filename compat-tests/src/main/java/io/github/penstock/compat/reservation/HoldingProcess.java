package io.github.penstock.compat.reservation;

import io.github.penstock.compat.near.SuiteClient;
import io.github.penstock.compat.near.SuiteProcess;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.testkit.resp.RedisUrl;
import java.io.IOException;
import java.time.Duration;

/** A process of its own that holds units, and does nothing more. */
final class HoldingProcess implements AutoCloseable {
  static final long UNITS = 40;
  private final SuiteProcess process;

  private HoldingProcess(SuiteProcess process) {
    this.process = process;
  }

  static HoldingProcess start(SuiteClient client, RedisUrl url) throws IOException {
    return new HoldingProcess(SuiteProcess.start(client, HoldingProcess.class, url));
  }

  void kill() {
    process.kill();
  }

  @Override
  public void close() {
    process.close();
  }

  /** The process. */
  public static void main(String[] arguments) throws Exception {
    try (RateLimiters limiters = SuiteProcess.connect(arguments, HoldingRules.PATIENT)) {
      boolean allowed =
          limiters
              .reservations("llm", Duration.ofSeconds(3))
              .reserve(HoldingRules.GROUP, HoldingRules.TOKENS.reserve(UNITS))
              .allowed();
      SuiteProcess.say(Boolean.toString(allowed));
    }
  }
}
