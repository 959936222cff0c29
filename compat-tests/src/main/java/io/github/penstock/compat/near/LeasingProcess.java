package io.github.penstock.compat.near;

import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.testkit.resp.RedisUrl;
import java.io.IOException;

/** A process of its own that leases: it takes units until it holds some, and does nothing more. */
final class LeasingProcess implements AutoCloseable {
  private final SuiteProcess process;

  private LeasingProcess(SuiteProcess process) {
    this.process = process;
  }

  /** Starts it, and returns when it holds units. */
  static LeasingProcess start(SuiteClient client, RedisUrl url) throws IOException {
    return new LeasingProcess(SuiteProcess.start(client, LeasingProcess.class, url));
  }

  /** Returns how many of its calls were allowed. */
  long allowed() {
    return Long.parseLong(process.said().get(0));
  }

  /** Returns how many units it holds. */
  long held() {
    return Long.parseLong(process.said().get(1));
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
    try (RateLimiters limiters = SuiteProcess.connect(arguments, NearRules.PATIENT)) {
      RateLimiter limiter = limiters.limiter(NearRules.POLICY, LeaseRules.LIMIT, LeaseRules.TERMS);
      long allowed = 0;
      while (LeaseRules.held(limiters.nearStatistics()) < LeaseRules.TERMS.most() / 2) {
        allowed += limiter.tryAcquire(NearRules.SUBJECT).allowed() ? 1 : 0;
      }
      SuiteProcess.say(allowed + " " + LeaseRules.held(limiters.nearStatistics()));
    }
  }
}
