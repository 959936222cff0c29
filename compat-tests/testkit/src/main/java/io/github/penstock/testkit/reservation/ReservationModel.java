package io.github.penstock.testkit.reservation;

import io.github.penstock.testkit.model.ExactModel;
import io.github.penstock.testkit.model.ExpectedOutcome;
import io.github.penstock.testkit.model.ProtocolBounds;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import io.github.penstock.testkit.model.StoredValue;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A server of the model: the expected replies and state of {@code reserve} and {@code settle}.
 * Calls hold the caller's time. Not safe for use by several threads.
 */
public final class ReservationModel {
  /** The script that charges, holds and debits. */
  public static final String RESERVE = "reserve";

  /** The script that settles the units of {@code reserve}. */
  public static final String SETTLE = "settle";

  private final Map<String, StoredValue> values = new HashMap<>();

  /** The value under a key. */
  public StoredValue get(String key) {
    return values.getOrDefault(key, StoredValue.NOTHING);
  }

  /** Puts a value under a key, or removes it. */
  public void put(String key, StoredValue value) {
    values.put(key, value);
  }

  /** Calls one of these scripts, or one of the protocol's with one key. */
  public ReservationOutcome call(String script, List<String> keys, List<String> arguments) {
    ReservationOutcome outcome;
    try {
      outcome =
          switch (script) {
            case RESERVE -> new ReserveStep(this, keys, arguments).outcome();
            case SETTLE -> new SettleStep(this, keys, arguments).outcome();
            default -> nativeCall(script, keys, arguments);
          };
    } catch (ReservationException problem) {
      outcome = ReservationOutcome.error(problem.argument());
    }
    outcome.written().forEach(this::put);
    return outcome;
  }

  /** A call of a script that knows nothing of reservations, on a key that entries charge. */
  private ReservationOutcome nativeCall(String script, List<String> keys, List<String> arguments) {
    String key = keys.get(0);
    ExpectedOutcome outcome =
        ExactModel.of(ScriptAlgorithm.named(script))
            .call(keys, arguments, get(key), ProtocolBounds.FIRST_US);
    Map<String, StoredValue> written = outcome.written() ? Map.of(key, outcome.stored()) : Map.of();
    return new ReservationOutcome(outcome.reply(), outcome.error(), written);
  }
}
