package io.github.penstock.testkit.topology;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Waits for events that no server announces, by asking again and again. */
public final class ServerEvents {
  /* Only so that a test ends at all: no machine is so busy. */
  private static final Duration MOST = Duration.ofMinutes(5);

  private ServerEvents() {}

  /** Waits for an event, called {@code what} should it never come. */
  public static ConditionFactory await(String what) {
    return Awaitility.await(what)
        .pollInSameThread()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(20))
        .atMost(MOST);
  }
}
