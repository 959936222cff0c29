package io.github.penstock.compat.dropin;

import io.github.penstock.testkit.model.LuaNumber;
import io.github.penstock.testkit.model.StoredValue;
import org.jspecify.annotations.Nullable;

/** An amount under one key and the time when it was right under another. */
record StoredPair(double amount, double last) {

  /** Null if a half is lost; an error if one is not a number from 0. */
  static @Nullable StoredPair read(DropInStore store, String amountKey, String timeKey)
      throws DropInError {
    String amount = store.text(amountKey);
    String last = store.text(timeKey);
    double amountRead = amount == null ? 0 : CheckedNumbers.amount(amount, "state");
    double lastRead = last == null ? 0 : CheckedNumbers.amount(last, "state");
    return amount == null || last == null ? null : new StoredPair(amountRead, lastRead);
  }

  void write(DropInStore store, String amountKey, String timeKey, double ttlSeconds)
      throws DropInError {
    long ttlMs = (long) ttlSeconds * 1000;
    store.set(amountKey, StoredValue.string(PrintfNumber.general(amount, 17), ttlMs));
    store.set(timeKey, StoredValue.string(timeText(store, timeKey), ttlMs));
  }

  /** A stored time that is this one stays as it is written. */
  private String timeText(DropInStore store, String timeKey) throws DropInError {
    String stored = store.text(timeKey);
    return stored != null && LuaNumber.number(stored) == last
        ? stored
        : PrintfNumber.general(last, 17);
  }
}
