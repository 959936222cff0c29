package io.github.penstock.compat.reservation;

import io.github.penstock.core.AcquiredUnits;
import io.github.penstock.core.LimiterCall;
import io.github.penstock.core.RateLimitListener;
import io.github.penstock.core.reserve.ReservationEvent;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** The events of reservations, as a listener got them. */
final class RecordedEvents implements RateLimitListener {
  private final Queue<ReservationEvent> events = new ConcurrentLinkedQueue<>();

  @Override
  public void onDecision(
      LimiterCall call, AcquiredUnits acquired, @Nullable RuntimeException cause) {}

  @Override
  public void onReservation(ReservationEvent event) {
    events.add(event);
  }

  List<ReservationEvent.Kind> kinds() {
    return events.stream().map(ReservationEvent::kind).toList();
  }
}
