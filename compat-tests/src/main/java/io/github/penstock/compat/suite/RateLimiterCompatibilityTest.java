package io.github.penstock.compat.suite;

import io.github.penstock.compat.plain.PlainRateLimiters;
import io.github.penstock.compat.topology.Deployment;
import io.github.penstock.compat.topology.Deployments;
import io.github.penstock.compat.topology.Endpoint;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/**
 * What an adapter for a Redis client must do to be one. Extend it, say who the client is and how it
 * connects, and run it:
 *
 * <pre>{@code
 * class ExampleCompatibilityTest extends RateLimiterCompatibilityTest {
 *   @Override
 *   protected String client() {
 *     return "example 1.0";
 *   }
 *
 *   @Override
 *   protected RateLimiters connect(Endpoint endpoint, RateLimiterOptions options) {
 *     if (endpoint instanceof Endpoint.Single single) {
 *       return ExampleRateLimiters.connect(single.uri(), options);
 *     }
 *     throw new UnsupportedOperationException("example knows single servers only");
 *   }
 * }
 * }</pre>
 *
 * <p>The tests are named after the rules of the protocol. They run on a single server, a cluster of
 * three masters, a primary with its replica under Sentinel, and through a proxy that makes faults;
 * all of these are started here. Every test uses keys that nobody else has. What the tests with
 * faults measure is written to {@code target/penstock-clients}, see {@link CaseResults}.
 *
 * <p>The limiters that {@link #connect} returns must also be a {@link
 * io.github.penstock.core.spi.ScriptSource}, so that the published vectors, which hold the time of
 * each call, can be played through the adapter. If they are {@link
 * io.github.penstock.core.AsyncRateLimiters}, too, the asynchronous tests run; otherwise they are
 * skipped and say so.
 */
@TestInstance(Lifecycle.PER_CLASS)
public abstract class RateLimiterCompatibilityTest {
  private final Map<String, Trial> trials = new HashMap<>();

  /**
   * Name and version of the client, such as {@code jedis 8.0.2}. The name, up to the first space,
   * is that of the file of results.
   */
  protected abstract String client();

  /**
   * Connects as an application would; the suite closes what this returns. Nothing needs to be asked
   * of the server yet.
   *
   * @throws UnsupportedOperationException if the adapter cannot do that by design; the message says
   *     why, and the tests of that kind are skipped with it. Those of a single server are not:
   *     every adapter must know one, and must run scripts on it
   */
  protected abstract RateLimiters connect(Endpoint endpoint, RateLimiterOptions options);

  /**
   * Connects another client, to share keys with the one under test. Unless overridden that is one
   * of plain sockets.
   */
  protected RateLimiters connectOther(Endpoint.Single endpoint, RateLimiterOptions options) {
    return PlainRateLimiters.connect(endpoint.url(), options);
  }

  /**
   * Whether the adapter tells a call that never left the process from one that may have been
   * charged, where no connection could be had. Only an adapter whose client does not tell overrides
   * this; the page of all clients then shows how many calls had to say that they may have been.
   */
  protected boolean provesNotSent() {
    return true;
  }

  /**
   * How long after a fault has ended the last call may fail, on a machine that is not busy. Only an
   * adapter whose client is slower to find out that a connection has fallen silent overrides this.
   */
  protected Duration longestRecovery() {
    return Duration.ofSeconds(10);
  }

  /** Closes every connection. */
  @AfterAll
  final void closeConnections() {
    trials.values().forEach(Trial::close);
    trials.clear();
  }

  private Trial trial(String name, Supplier<? extends Deployment> deployment) {
    return trials.computeIfAbsent(name, absent -> new Trial(this, deployment.get()));
  }

  @Nested
  @DisplayName("on a single server")
  class OnSingleServer extends CommonRules {
    @Override
    Trial trial() {
      return RateLimiterCompatibilityTest.this.trial("single", Deployments::single);
    }

    @Nested
    @DisplayName("beside another client")
    class Sharing extends SharingRules {
      @Override
      Trial trial() {
        return OnSingleServer.this.trial();
      }
    }
  }

  @Nested
  @DisplayName("on a cluster")
  class OnCluster extends CommonRules {
    @Override
    Trial trial() {
      return RateLimiterCompatibilityTest.this.trial("cluster", Deployments::cluster);
    }

    @Nested
    @DisplayName("while its slots move")
    class Resharding extends ReshardingRules {
      @Override
      Trial trial() {
        return OnCluster.this.trial();
      }
    }
  }

  @Nested
  @DisplayName("under Sentinel")
  class UnderSentinel extends CommonRules {
    @Override
    Trial trial() {
      return RateLimiterCompatibilityTest.this.trial("sentinel", Deployments::sentinel);
    }

    @Nested
    @DisplayName("when its primary dies")
    class Failover extends FailoverRules {
      @Override
      Trial trial() {
        return UnderSentinel.this.trial();
      }
    }
  }

  @Nested
  @DisplayName("with faults")
  class WithFaults extends FaultRules {
    @Override
    RateLimiterCompatibilityTest suite() {
      return RateLimiterCompatibilityTest.this;
    }
  }

  @Nested
  @DisplayName("with faults, asynchronous")
  class AsyncWithFaults extends AsyncFaultRules {
    @Override
    RateLimiterCompatibilityTest suite() {
      return RateLimiterCompatibilityTest.this;
    }
  }

  @Nested
  @DisplayName("when the server is away")
  class WithoutServer extends OutageRules {
    @Override
    RateLimiterCompatibilityTest suite() {
      return RateLimiterCompatibilityTest.this;
    }
  }
}
