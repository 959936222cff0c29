package io.github.penstock.testkit.topology;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Waits for events that no server announces, by asking again and again. */
public final class ServerEvents {
  /* Only so that a test ends at all: no machine is so busy. */
  private static final Duration MOST = Duration.ofMinutes(5);

  private ServerEvents() {}

  /** Calls until that succeeds, on a machine that may be busy, and returns the result. */
  public static <T> T firstResult(String what, Callable<T> call) {
    return await(what).ignoreExceptions().until(call, any -> true);
  }

  /** Waits for an event; {@code what} names it in the error if it never comes. */
  public static ConditionFactory await(String what) {
    return Awaitility.await(what)
        .pollInSameThread()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(20))
        .atMost(MOST);
  }
}
