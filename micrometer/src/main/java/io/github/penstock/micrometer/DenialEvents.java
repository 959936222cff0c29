package io.github.penstock.micrometer;

import io.github.penstock.core.AcquiredUnits;
import io.github.penstock.core.LimiterCall;
import io.github.penstock.core.RateLimitListener;
import io.github.penstock.core.reserve.ReservationEvent;
import io.micrometer.observation.Observation;
import io.micrometer.observation.Observation.Event;
import io.micrometer.observation.ObservationRegistry;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Adds an event {@code penstock.denied} to the current observation when a call is denied, so that a
 * trace shows it; its contextual name ends with the policy. An asynchronous call has the
 * observation only if it is current on the thread that has the decision: see {@link
 * io.github.penstock.core.RateLimiterOptions.Builder#completeOn}. Safe for use by several threads.
 */
public final class DenialEvents implements RateLimitListener {
  private static final String NAME = "penstock.denied";
  private final ObservationRegistry registry;

  /** Events of the observations in this registry. */
  public DenialEvents(ObservationRegistry registry) {
    this.registry = Objects.requireNonNull(registry, "registry");
  }

  @Override
  public void onDecision(
      LimiterCall call, AcquiredUnits acquired, @Nullable RuntimeException cause) {
    if (!acquired.decision().allowed()) {
      denied(call.policy());
    }
  }

  @Override
  public void onReservation(ReservationEvent event) {
    if (event.kind() == ReservationEvent.Kind.DENIED) {
      denied(event.reservations());
    }
  }

  private void denied(String policy) {
    Observation current = registry.getCurrentObservation();
    if (current != null) {
      current.event(event(policy));
    }
  }

  /** The event of a denial by a policy. */
  public static Event event(String policy) {
    return Event.of(NAME, NAME + " by " + policy);
  }
}
