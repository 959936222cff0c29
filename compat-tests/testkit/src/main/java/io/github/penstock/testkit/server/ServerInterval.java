package io.github.penstock.testkit.server;

import io.github.penstock.testkit.resp.ServerClock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * The time that has passed on a server's own clock, for bounds that hold on the slowest machine: a
 * wait of an hour that the server gave since the beginning is at least an hour less {@link
 * #elapsed}.
 *
 * @param server whose clock
 * @param beginUs when it began, in microseconds since 1970 on that clock
 */
public record ServerInterval(TestServer server, long beginUs) {
  /** Begins now. */
  public static ServerInterval begin(TestServer server) {
    return new ServerInterval(server, ServerClock.nowUs(server::call));
  }

  /** Returns how much has passed until now. */
  public Duration elapsed() {
    return Duration.of(ServerClock.nowUs(server::call) - beginUs, ChronoUnit.MICROS);
  }
}
