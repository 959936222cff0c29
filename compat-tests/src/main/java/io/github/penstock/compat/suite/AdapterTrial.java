package io.github.penstock.compat.suite;

import io.github.penstock.compat.script.LimitSetting;
import io.github.penstock.compat.script.ScriptRunner;
import io.github.penstock.compat.script.SubjectKey;
import io.github.penstock.core.AsyncRateLimiters;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import io.github.penstock.testkit.topology.DirectCommands;
import io.github.penstock.testkit.topology.RedisDeployment;
import io.github.penstock.testkit.topology.ServerEndpoint;
import io.github.penstock.testkit.topology.ServerEvents;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/** One adapter on one deployment, with one connection that its tests share. */
final class AdapterTrial implements AutoCloseable {
  /**
   * Options of the tests without faults: their deadline ends a call that hangs, and no other; every
   * call asks.
   */
  static final RateLimiterOptions OPTIONS =
      RateLimiterOptions.builder()
          .prefix(SubjectKey.PREFIX)
          .deadline(Duration.ofSeconds(30))
          .rememberDenials(Duration.ZERO)
          .build();

  static final RateLimiterOptions WITH_FUNCTIONS = OPTIONS.toBuilder().functions(true).build();

  /* Clients that connect at once have short time-outs for it, and the machine may be busy. */
  private static final int CONNECT_ATTEMPTS = 10;

  private final RateLimiterCompatibilityTest suite;
  private final RedisDeployment deployment;
  private final DirectCommands server;
  private @Nullable RateLimiters shared;

  AdapterTrial(RateLimiterCompatibilityTest suite, RedisDeployment deployment) {
    this.suite = suite;
    this.deployment = deployment;
    server = deployment.commands();
  }

  String client() {
    return suite.client();
  }

  RedisDeployment deployment() {
    return deployment;
  }

  /** Commands around the adapter. */
  DirectCommands server() {
    return server;
  }

  /** The limiters that all tests of this trial share. */
  synchronized RateLimiters limiters() {
    if (shared == null) {
      shared = connect(OPTIONS);
    }
    return shared;
  }

  /** Separate limiters for a test that closes them. */
  RateLimiters connect(RateLimiterOptions options) {
    return connect(suite, deployment.endpoint(), options);
  }

  /** A limiter of a separate policy, which gains nothing for the duration of a test. */
  RateLimiter limiter(ScriptAlgorithm algorithm, long limit) {
    return limiter(limiters(), algorithm, limit);
  }

  /** The limiter on limiters that do not belong to all tests. */
  static RateLimiter limiter(RateLimiters limiters, ScriptAlgorithm algorithm, long limit) {
    return limiters.limiter(unique(), LimitSetting.lasting(algorithm, limit));
  }

  /** Waits for the first connection, which no call should be counted for that waits for it. */
  static void awaitConnection(RateLimiters limiters) {
    RateLimiter limiter = limiter(limiters, ScriptAlgorithm.FIXED_WINDOW, 1);
    ServerEvents.firstResult("a connection", () -> limiter.peek("nobody"));
  }

  /** Limiters that call functions, for a test that closes them; skips it without functions. */
  RateLimiters connectForFunctions() {
    requireFunctions();
    return connect(WITH_FUNCTIONS);
  }

  /** Limiters of another client for a test that closes them. */
  RateLimiters connectOther(RateLimiterOptions options) {
    return suite.connectOther((ServerEndpoint.Single) deployment.endpoint(), options);
  }

  static RateLimiters connect(
      RateLimiterCompatibilityTest suite, ServerEndpoint endpoint, RateLimiterOptions options) {
    for (int attempt = 1; ; attempt++) {
      try {
        return suite.connect(endpoint, options);
      } catch (UnsupportedOperationException byDesign) {
        if (endpoint instanceof ServerEndpoint.Single single
            && !single.encrypted()
            && isPlain(options)) {
          throw new AssertionError("every adapter must know a single server", byDesign);
        }
        return skipped(suite.client() + ": " + byDesign.getMessage());
      } catch (RuntimeException failure) {
        if (attempt == CONNECT_ATTEMPTS) {
          throw failure;
        }
      }
    }
  }

  /** True if these ask for nothing that a client may lack by design. */
  private static boolean isPlain(RateLimiterOptions options) {
    return !options.functions() && !options.peekOnReplicas();
  }

  /** The scripts behind the shared limiters. */
  ScriptRunner scripts() {
    return scripts(limiters(), OPTIONS);
  }

  /** The scripts behind limiters of this suite that were connected with these options. */
  ScriptRunner scripts(RateLimiters limiters, RateLimiterOptions options) {
    return new ScriptRunner(suite.transport(limiters), options);
  }

  /**
   * Returns how many checks whether the server answers these limiters may send during a short test:
   * none if their transport has no check.
   */
  long mostChecks(RateLimiters limiters) {
    return suite.transport(limiters).checksNodes() ? 2 : 0;
  }

  /** The shared limiters, if they are asynchronous; otherwise the test is skipped. */
  AsyncRateLimiters async() {
    return async(suite, limiters());
  }

  static AsyncRateLimiters async(RateLimiterCompatibilityTest suite, RateLimiters limiters) {
    return limiters instanceof AsyncRateLimiters async
        ? async
        : skipped(suite.client() + " offers no asynchronous limiters");
  }

  /** Skips a test that disturbs others where the deployment is not ours. */
  void requireOurs() {
    if (!deployment.isOurs()) {
      skipped("the server was given, and others may use it");
    }
  }

  /** Skips a test where the servers know no functions. */
  void requireFunctions() {
    if (!deployment.masters().get(0).hasFunctions()) {
      skipped(deployment.version() + " has no functions");
    }
  }

  private static <T> T skipped(String reason) {
    return Assumptions.abort("optional: " + reason);
  }

  /** A unique name, for a policy or a key. */
  static String unique() {
    return UUID.randomUUID().toString();
  }

  @Override
  public synchronized void close() {
    server.close();
    if (shared != null) {
      shared.close();
    }
  }
}
