package io.github.penstock.core.internal.engine;

import io.github.penstock.core.internal.failure.FailureClassifier;
import io.github.penstock.core.internal.waiting.ConnectionQueue;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.core.spi.time.TimeSource;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The state that all asynchronous calls of some limiters share, so that a call holds one reference
 * to it.
 *
 * @param transport where calls are sent
 * @param failures classifies the transport's exceptions
 * @param late judges late calls
 * @param connections calls that wait for a connection
 * @param time the clock of deadlines and pauses
 * @param completing where stages complete, which refuses nothing; null for the thread that has the
 *     outcome
 */
public record AsyncRoute(
    ScriptTransport transport,
    FailureClassifier failures,
    LateCalls late,
    ConnectionQueue connections,
    TimeSource time,
    @Nullable Executor completing) {
  /** Lets stages complete here where {@code completing} refuses them. */
  public AsyncRoute {
    completing = completing == null ? null : orHere(completing);
  }

  /** The variant for calls with internal stages only: they complete at once. */
  AsyncRoute unseen() {
    return new AsyncRoute(transport, failures, late, connections, time, null);
  }

  /** Where stages complete. */
  Executor completingOrHere() {
    return completing == null ? Runnable::run : completing;
  }

  private static Executor orHere(Executor executor) {
    return task -> {
      try {
        executor.execute(task);
      } catch (RuntimeException refused) {
        task.run();
      }
    };
  }
}
