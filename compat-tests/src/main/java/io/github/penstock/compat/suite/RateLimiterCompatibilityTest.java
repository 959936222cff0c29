package io.github.penstock.compat.suite;

import io.github.penstock.compat.failure.FailureRules;
import io.github.penstock.compat.failure.HealingRules;
import io.github.penstock.compat.failure.OverloadRules;
import io.github.penstock.compat.failure.SignInRules;
import io.github.penstock.compat.near.CircuitRules;
import io.github.penstock.compat.near.ClientRules.TestedClient;
import io.github.penstock.compat.near.ClientRules.ThroughStages;
import io.github.penstock.compat.near.DenialRules;
import io.github.penstock.compat.near.KilledProcessRules;
import io.github.penstock.compat.near.LeaseRules;
import io.github.penstock.compat.near.MasterDownRules;
import io.github.penstock.compat.near.ShareRules;
import io.github.penstock.compat.near.SuiteClient;
import io.github.penstock.compat.near.TripRules;
import io.github.penstock.compat.outage.LongOutageRules;
import io.github.penstock.compat.plain.PlainRateLimiters;
import io.github.penstock.compat.reservation.MovedReservationRules;
import io.github.penstock.compat.reservation.ReservationFaultRules;
import io.github.penstock.compat.reservation.ReservationRules;
import io.github.penstock.compat.result.CaseResultFile;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.testkit.topology.RedisDeployment;
import io.github.penstock.testkit.topology.ServerEndpoint;
import io.github.penstock.testkit.topology.SharedDeployments;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Tests everything that an adapter for a Redis client must do. Extend it, define the client and its
 * connection, and run it:
 *
 * <pre>{@code
 * class ExampleCompatibilityTest extends RateLimiterCompatibilityTest {
 *   @Override
 *   protected String client() {
 *     return "example 1.0";
 *   }
 *
 *   @Override
 *   protected RateLimiters connect(ServerEndpoint endpoint, RateLimiterOptions options) {
 *     return ExampleRateLimiters.connect(endpoint.uri(), options);
 *   }
 *
 *   @Override
 *   protected ScriptTransport transport(RateLimiters limiters) {
 *     return ((ExampleRateLimiters) limiters).transport();
 *   }
 * }
 * }</pre>
 *
 * <p>The tests are named after the rules of the protocol. They run on a single server, a cluster of
 * three masters, a primary with its replica under Sentinel, and through a proxy that makes faults;
 * all of these are started here. Every test uses unique keys. The measurements of the tests with
 * faults are written to {@code target/penstock-clients}, see {@link CaseResultFile}.
 *
 * <p>Where JUnit runs tests in parallel ({@code junit.jupiter.execution.parallel.enabled}), each
 * deployment and each fault runs beside the others, as most of the time is spent waiting.
 *
 * <p>The groups ({@code -Dgroups=}) are {@code single}, {@code cluster}, {@code sentinel}, {@code
 * faults}, {@code near}, {@code misconfiguration}, {@code overload}, {@code healing}, {@code
 * reservations} and {@code outages}. A failure is printed when it happens.
 *
 * <p>If the limiters that {@link #connect} returns are {@link
 * io.github.penstock.core.AsyncRateLimiters}, too, the asynchronous tests run; otherwise they are
 * skipped and say so.
 */
@TestInstance(Lifecycle.PER_CLASS)
@ExtendWith(RateLimiterCompatibilityTest.FailureConsole.class)
public abstract class RateLimiterCompatibilityTest implements TestedClient {
  private final Map<String, AdapterTrial> trials = new ConcurrentHashMap<>();

  /**
   * Prints a failure when it happens, in a line of at most 300 characters that begins with the
   * module, even if a build redirects the output of tests to files. A list shows ten elements at
   * most.
   */
  static final class FailureConsole implements BeforeAllCallback, TestWatcher {
    /** Set where failures are expected. */
    static final String SILENT = "penstock.failures.silent";

    private static final int LONGEST_LINE = 300;
    private static final int MOST_ELEMENTS = 10;
    private static final Path MODULE = Path.of("").toAbsolutePath().getFileName();

    @Override
    public void beforeAll(ExtensionContext context) {
      Assertions.setMaxElementsForPrinting(MOST_ELEMENTS);
    }

    @Override
    public void testFailed(ExtensionContext context, @Nullable Throwable cause) {
      if (context.getConfigurationParameter(SILENT).isPresent()) {
        return;
      }
      String line =
          "FAILED %s, %s.%s, \"%s\": %s"
              .formatted(
                  MODULE,
                  context.getRequiredTestClass().getSimpleName(),
                  context.getRequiredTestMethod().getName(),
                  context.getDisplayName(),
                  String.valueOf(cause).strip().replaceAll("\\s+", " "));
      new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8)
          .println(line.length() > LONGEST_LINE ? line.substring(0, LONGEST_LINE - 1) + "…" : line);
    }
  }

  /**
   * Name and version of the client, such as {@code jedis 8.0.2}. The name, up to the first space,
   * is that of the file of results.
   */
  protected abstract String client();

  /**
   * Connects like an application; the suite closes the returned limiters. Nothing needs to be asked
   * of the server yet.
   *
   * @throws UnsupportedOperationException if the adapter cannot do that by design; the message says
   *     why, and the tests of that kind are skipped with it. Those of a single server are not:
   *     every adapter must know one, and must run scripts on it
   */
  protected abstract RateLimiters connect(ServerEndpoint endpoint, RateLimiterOptions options);

  /**
   * The transport that limiters of {@link #connect} use, which their {@code limitersTransport()}
   * returns. The published vectors hold the time of each call, which no limiter takes, so they are
   * played through the transport.
   */
  protected abstract ScriptTransport transport(RateLimiters limiters);

  /**
   * Connects another client, to share keys with the one under test. Unless overridden that is one
   * of plain sockets.
   */
  protected RateLimiters connectOther(ServerEndpoint.Single endpoint, RateLimiterOptions options) {
    return PlainRateLimiters.connect(endpoint.url(), options);
  }

  /**
   * Returns whether the adapter tells a call that never left the process from one that may have
   * been charged, where no connection could be had. Only an adapter whose client does not tell
   * overrides this; the page of all clients then shows how many calls had to say that they may have
   * been.
   */
  protected boolean provesNotSent() {
    return true;
  }

  /**
   * Returns whether the client keeps failures to itself: it waits until the deadline where the
   * connection of a call was lost, and follows redirections on a single server. Only an adapter
   * whose client does so overrides this.
   */
  protected boolean hidesFailures() {
    return false;
  }

  /**
   * Returns whether the client replaces a connection that has fallen silent for good while calls go
   * on. Only an adapter whose client keeps it overrides this; each of its calls must still be
   * charged once and end within its deadline.
   */
  protected boolean replacesSilentConnections() {
    return true;
  }

  /**
   * Returns whether the client always knows a node for a slot that moves. Only an adapter whose
   * client may lose sight of one overrides this; a call that fails for that must prove that it
   * never ran.
   */
  protected boolean keepsSightOfMovingSlots() {
    return true;
  }

  /**
   * Whether calls of one subject share trips to a cluster (rule C1): not if the client sends the
   * commands of a batch over several connections.
   */
  protected boolean sharesTripsInClusters() {
    return true;
  }

  /** Closes every connection. */
  @AfterAll
  final void closeConnections() {
    trials.values().forEach(AdapterTrial::close);
    trials.clear();
  }

  @Override
  public final SuiteClient suiteClient() {
    return new SuiteClient(
        client(),
        getClass(),
        sharesTripsInClusters(),
        (endpoint, options) -> AdapterTrial.connect(this, endpoint, options));
  }

  private AdapterTrial trial(String name, Supplier<? extends RedisDeployment> deployment) {
    return trials.computeIfAbsent(name, absent -> new AdapterTrial(this, deployment.get()));
  }

  @Nested
  @Tag("single")
  @DisplayName("on a single server")
  @Execution(ExecutionMode.CONCURRENT)
  @ResourceLock(SharedDeployments.SINGLE)
  class OnSingleServer extends CommonRules {
    @Override
    AdapterTrial trial() {
      return RateLimiterCompatibilityTest.this.trial("single", SharedDeployments::single);
    }

    @Nested
    @DisplayName("beside another client")
    class Sharing extends SharingRules {}
  }

  @Nested
  @Tag("cluster")
  @DisplayName("on a cluster")
  @Execution(ExecutionMode.CONCURRENT)
  @ResourceLock(SharedDeployments.CLUSTER)
  class OnCluster extends CommonRules {
    @Override
    AdapterTrial trial() {
      return RateLimiterCompatibilityTest.this.trial("cluster", SharedDeployments::cluster);
    }

    @Nested
    @DisplayName("while its slots move")
    class Resharding extends ReshardingRules {}

    @Nested
    @DisplayName("when one of its masters is away")
    class MasterAway extends MasterDownRules {}
  }

  @Nested
  @Tag("sentinel")
  @DisplayName("under Sentinel")
  @Execution(ExecutionMode.CONCURRENT)
  @ResourceLock(SharedDeployments.SENTINEL)
  class UnderSentinel extends CommonRules {
    @Override
    AdapterTrial trial() {
      return RateLimiterCompatibilityTest.this.trial("sentinel", SharedDeployments::sentinel);
    }

    @Nested
    @DisplayName("when its primary dies or is replaced")
    class Failover extends FailoverRules {}
  }

  @Nested
  @Tag("misconfiguration")
  @DisplayName("with a user and a password")
  @Execution(ExecutionMode.CONCURRENT)
  class SigningIn extends SignInRules {}

  @Nested
  @Tag("faults")
  @DisplayName("with faults")
  @Execution(ExecutionMode.CONCURRENT)
  class WithFaults extends BlockingFaultRules {}

  @Nested
  @Tag("faults")
  @DisplayName("with faults, asynchronous")
  @Execution(ExecutionMode.CONCURRENT)
  class AsyncWithFaults extends AsyncFaultRules {}

  @Nested
  @Tag("near")
  @DisplayName("with denials from memory")
  @Execution(ExecutionMode.CONCURRENT)
  class Remembering extends DenialRules {}

  @Nested
  @Tag("near")
  @DisplayName("with leases")
  @Execution(ExecutionMode.CONCURRENT)
  class Leasing extends LeaseRules {}

  @Nested
  @Tag("near")
  @DisplayName("with denials from memory, asynchronous")
  @Execution(ExecutionMode.CONCURRENT)
  @ThroughStages
  class AsyncRemembering extends DenialRules {}

  @Nested
  @Tag("near")
  @DisplayName("when a process that leases is killed")
  @Execution(ExecutionMode.CONCURRENT)
  class KilledLeasing extends KilledProcessRules {}

  @Nested
  @Tag("near")
  @DisplayName("with leases, asynchronous")
  @Execution(ExecutionMode.CONCURRENT)
  @ThroughStages
  class AsyncLeasing extends LeaseRules {}

  @Nested
  @Tag("near")
  @DisplayName("with trips that calls share")
  @Execution(ExecutionMode.CONCURRENT)
  class SharingTrips extends TripRules {}

  @Nested
  @Tag("near")
  @DisplayName("with trips that calls share, asynchronous")
  @Execution(ExecutionMode.CONCURRENT)
  @ThroughStages
  class AsyncSharingTrips extends TripRules {}

  @Nested
  @Tag("near")
  @DisplayName("with a share of the limit in an outage")
  @Execution(ExecutionMode.CONCURRENT)
  class OutageShares extends ShareRules {}

  @Nested
  @Tag("near")
  @DisplayName("with a share of the limit in an outage, asynchronous")
  @Execution(ExecutionMode.CONCURRENT)
  @ThroughStages
  class AsyncOutageShares extends ShareRules {}

  @Nested
  @Tag("near")
  @DisplayName("when its circuit is open")
  @Execution(ExecutionMode.CONCURRENT)
  class Pausing extends CircuitRules {}

  @Nested
  @Tag("misconfiguration")
  @DisplayName("when something is set up wrong, or full")
  @Execution(ExecutionMode.CONCURRENT)
  class Failing extends FailureRules {
    @Override
    protected boolean provesNotSent() {
      return RateLimiterCompatibilityTest.this.provesNotSent();
    }

    @Override
    protected boolean hidesFailures() {
      return RateLimiterCompatibilityTest.this.hidesFailures();
    }
  }

  @Nested
  @Tag("overload")
  @DisplayName("when more is asked than can be served")
  @Execution(ExecutionMode.CONCURRENT)
  class Overloaded extends OverloadRules {}

  @Nested
  @Tag("healing")
  @DisplayName("when connections lead to the wrong server")
  @Execution(ExecutionMode.CONCURRENT)
  class Healing extends HealingRules {}

  @Nested
  @Tag("healing")
  @DisplayName("when connections lead to the wrong server, asynchronous")
  @Execution(ExecutionMode.CONCURRENT)
  @ThroughStages
  class AsyncHealing extends HealingRules {}

  @Nested
  @Tag("reservations")
  @DisplayName("with several limits in one decision")
  @Execution(ExecutionMode.CONCURRENT)
  class Reserving extends ReservationRules {}

  @Nested
  @Tag("reservations")
  @DisplayName("with several limits in one decision, asynchronous")
  @Execution(ExecutionMode.CONCURRENT)
  @ThroughStages
  class AsyncReserving extends ReservationRules {}

  @Nested
  @Tag("reservations")
  @DisplayName("with reservations, when answers are lost")
  @Execution(ExecutionMode.CONCURRENT)
  class LosingReservations extends ReservationFaultRules {}

  @Nested
  @Tag("reservations")
  @DisplayName("with reservations, when answers are lost, asynchronous")
  @Execution(ExecutionMode.CONCURRENT)
  @ThroughStages
  class AsyncLosingReservations extends ReservationFaultRules {}

  @Nested
  @Tag("reservations")
  @DisplayName("with reservations, when keys move")
  @Execution(ExecutionMode.CONCURRENT)
  class MovingReservations extends MovedReservationRules {}

  @Nested
  @Tag("reservations")
  @DisplayName("with reservations, when keys move, asynchronous")
  @Execution(ExecutionMode.CONCURRENT)
  @ThroughStages
  class AsyncMovingReservations extends MovedReservationRules {}

  @Nested
  @Tag("outages")
  @DisplayName("in long outages")
  @EnabledIfSystemProperty(
      named = "penstock.clients.long",
      matches = "true",
      disabledReason = "optional: measured for the page of all clients")
  class Outages extends LongOutageRules {}

  @Nested
  @Tag("outages")
  @DisplayName("when the server is away")
  @Execution(ExecutionMode.CONCURRENT)
  class WithoutServer extends OutageRules {}
}
