package io.github.penstock.core.internal.trips;

import io.github.penstock.core.PenstockException;
import io.github.penstock.core.internal.failure.TransportStages;
import io.github.penstock.core.internal.protocol.ReplyDecoder;
import io.github.penstock.core.internal.trips.TripOutcome.Ran;
import io.github.penstock.core.spi.NotSentException;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.core.spi.ServerError;
import io.github.penstock.core.spi.TransportFailure;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The commands of a trip, and their outcomes. */
final class SharedCommands {
  private static final int MOST_CAUSES = 32;

  private SharedCommands() {}

  /** The commands of a trip of calls like this one. */
  static List<ScriptCall> of(ScriptCall call, SharedTrip<?> trip, long deadlineNanos) {
    ScriptCall plain = call.until(deadlineNanos);
    int asks = trip.commands().get(0);
    ScriptCall first = asks == 1 ? plain : plain.several(asks);
    first = trip.bySource() ? first.bySource() : first;
    return trip.calls().size() == 1 ? List.of(first) : List.of(first, plain);
  }

  /** The outcome of a command that asks for so many calls. */
  static TripOutcome outcome(
      ScriptCall call,
      int asks,
      @Nullable Object answer,
      @Nullable Throwable thrown,
      ScriptTransport transport) {
    if (thrown != null) {
      return failed(TransportStages.failure(thrown), transport);
    }
    try {
      ReplyDecoder.acquired(call, answer, asks);
      return TripOutcome.of(ReplyDecoder.longs(call, answer));
    } catch (PenstockException unreadable) {
      // Each call's own decoding reports it.
      return TripOutcome.of(Ran.ENDED, answer, false);
    }
  }

  private static TripOutcome failed(RuntimeException failure, ScriptTransport transport) {
    if (failure instanceof NotSentException) {
      return TripOutcome.of(Ran.ENDED, failure, false);
    }
    Throwable cause = failure;
    for (int i = 0; i < MOST_CAUSES && cause != null; i++) {
      TransportFailure known = transport.failure(cause);
      if (known != null && known.serverText() != null) {
        boolean isUnknown = ServerError.of(known.serverText()).isNoScript();
        return TripOutcome.of(isUnknown ? Ran.NO : Ran.ENDED, failure, isUnknown);
      }
      cause = cause.getCause();
    }
    return TripOutcome.of(Ran.MAYBE, failure, false);
  }

  /** The failure of a call that left before it was sent. */
  static NotSentException notSent() {
    return new NotSentException(
        new IllegalStateException(
            "the call waited to be sent together with others",
            new TimeoutException("no trip began within the deadline")));
  }
}
