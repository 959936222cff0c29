package io.github.penstock.compat.dropin;

import static io.github.penstock.compat.dropin.CheckedNumbers.MOST_TTL_S;
import static io.github.penstock.compat.dropin.CheckedNumbers.MOST_UNITS;
import static io.github.penstock.compat.dropin.CheckedNumbers.amount;
import static io.github.penstock.compat.dropin.CheckedNumbers.integer;
import static io.github.penstock.compat.dropin.CheckedNumbers.now;
import static io.github.penstock.compat.dropin.CheckedNumbers.positive;
import static io.github.penstock.compat.dropin.CheckedNumbers.require;

import io.github.penstock.compat.vectors.VectorOutcome;
import io.github.penstock.scripts.DropInScript;
import io.github.penstock.testkit.model.StoredValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Each drop-in's contract in Java, with the caller's time. */
final class DropInModel {
  private DropInModel() {}

  /** One call; the store then holds what the call leaves. */
  static VectorOutcome call(
      DropInScript script, DropInStore store, List<String> keys, List<String> arguments) {
    String inspected = keys.isEmpty() ? "k" : keys.get(0);
    store.begin();
    try {
      Object reply = reply(script, store, keys, arguments);
      return new VectorOutcome(
          reply, null, store.isWritten(), store.isTtlKept(), store.get(inspected));
    } catch (DropInError error) {
      return new VectorOutcome(List.of(), error.getMessage(), false, false, store.get(inspected));
    }
  }

  /** The key beside the first that a call works on, if there is one. */
  static @Nullable String secondKey(DropInScript script, List<String> keys) {
    if (keys.size() == 2) {
      return areDifferent(keys) ? keys.get(1) : null;
    }
    return script == DropInScript.TOKEN_BATCHES && keys.size() == 1 ? keys.get(0) + "_time" : null;
  }

  private static @Nullable Object reply(
      DropInScript script, DropInStore store, List<String> keys, List<String> arguments)
      throws DropInError {
    return switch (script) {
      case PRORATE_LEAKY_BUCKET -> prorate(store, keys, arguments);
      case REDIS_BUCKET -> redisBucket(store, keys, arguments);
      case RATE_BURST -> {
        TokensLeft left = rateBurst(store, keys, arguments);
        yield List.of(left.isAllowed() ? 1L : 0L, (long) left.tokens());
      }
      case RATE_BURST_BOOLEAN -> rateBurst(store, keys, arguments).isAllowed() ? 1L : null;
      case TOKEN_BATCHES -> tokenBatches(store, keys, arguments);
      case COUNTER -> counter(store, keys, arguments);
    };
  }

  private static Object prorate(DropInStore store, List<String> keys, List<String> arguments)
      throws DropInError {
    require(keys.size() == 2 && areDifferent(keys), "key");
    require(arguments.size() == 3 || arguments.size() == 4, "arguments");
    double rate = positive(arguments.get(0), "leak_rate");
    double fillUp = amount(arguments.get(1), "fill_up");
    double capacity = positive(arguments.get(2), "capacity");
    double ttl = Math.ceil(capacity / rate + 1);
    require(ttl <= MOST_TTL_S, "capacity");
    double now = now(arguments.get(3));
    StoredPair read = StoredPair.read(store, keys.get(0), keys.get(1));
    StoredPair state = read == null ? new StoredPair(0, now) : read;
    double level = state.amount() - rate * elapsed(now, state) + fillUp;
    level = Math.max(0.0, Math.min(capacity, level));
    if (level == 0 && state.amount() == 0) {
      return List.of("0.0", 0L);
    }
    new StoredPair(level, laterTime(now, state, capacity / rate))
        .write(store, keys.get(0), keys.get(1), ttl);
    return List.of(PrintfNumber.nineDecimals(level), level == capacity ? 1L : 0L);
  }

  private static boolean areDifferent(List<String> keys) {
    return Set.copyOf(keys).size() == keys.size();
  }

  private static double elapsed(double now, StoredPair state) {
    return Math.max(0.0, now - state.last());
  }

  /** The later time, but none further ahead than a whole bucket takes. */
  private static double laterTime(double now, StoredPair state, double wholeSeconds) {
    return Math.max(now, Math.min(state.last(), now + wholeSeconds));
  }

  private static Object redisBucket(DropInStore store, List<String> keys, List<String> arguments)
      throws DropInError {
    require(keys.size() == 1, "key");
    require(arguments.size() >= 3, "arguments");
    double cost = amount(arguments.get(0), "cost");
    double now = now(arguments.get(arguments.size() - 1));
    String hex = store.hex(keys.get(0));
    List<Double> state = hex == null ? List.of(now, 0.0) : MessagePack.unpack(hex);
    double elapsed = Math.max(0.0, now - state.get(0));
    List<Double> levels = new ArrayList<>(state.subList(2, state.size()));
    List<Double> charged = new ArrayList<>();
    double least = Double.POSITIVE_INFINITY;
    long index = 0;
    double lasts = 0;
    for (int i = 0; 2 * i + 2 < arguments.size() - 1; i++) {
      double flow = positive(arguments.get(2 * i + 1), "flow");
      double burst = positive(arguments.get(2 * i + 2), "burst");
      require(burst / flow <= MOST_TTL_S, "burst");
      double level = i < levels.size() ? levels.get(i) : 0.0;
      level = Math.max(0.0, level - elapsed * flow);
      if (i < levels.size()) {
        levels.set(i, level);
      } else {
        levels.add(level);
      }
      charged.add(level + cost);
      if (burst - charged.get(i) < least) {
        least = burst - charged.get(i);
        index = i + 1;
      }
      double emptyIn = Math.max(burst, charged.get(i)) / flow;
      require(emptyIn <= MOST_TTL_S, "cost");
      lasts = Math.max(lasts, Math.ceil(emptyIn));
    }
    double time = Math.max(now, Math.min(state.get(0), now + lasts));
    boolean allowed = least >= 0;
    double denied = allowed ? 0 : state.get(1) + cost;
    String packed = MessagePack.pack(time, denied, allowed ? charged : levels);
    store.set(keys.get(0), StoredValue.binary(packed, (long) lasts * 1000));
    return List.of(allowed ? 1L : 0L, PrintfNumber.general(allowed ? least : denied, 14), index);
  }

  private record TokensLeft(boolean isAllowed, double tokens) {}

  private static TokensLeft rateBurst(DropInStore store, List<String> keys, List<String> arguments)
      throws DropInError {
    require(keys.size() == 2 && areDifferent(keys), "key");
    require(arguments.size() == 4, "arguments");
    double rate = positive(arguments.get(0), "rate");
    double capacity = positive(arguments.get(1), "capacity");
    double ttl = Math.max(1.0, Math.ceil(2 * capacity / rate));
    require(ttl <= MOST_TTL_S, "capacity");
    double now = amount(arguments.get(2), "now");
    double requested = amount(arguments.get(3), "requested");
    StoredPair read = StoredPair.read(store, keys.get(0), keys.get(1));
    StoredPair state = read == null ? new StoredPair(capacity, 0) : read;
    double filled = Math.min(capacity, state.amount() + elapsed(now, state) * rate);
    boolean allowed = filled >= requested;
    double left = allowed ? filled - requested : filled;
    new StoredPair(left, laterTime(now, state, capacity / rate))
        .write(store, keys.get(0), keys.get(1), ttl);
    return new TokensLeft(allowed, left);
  }

  private static Object tokenBatches(DropInStore store, List<String> keys, List<String> arguments)
      throws DropInError {
    require((keys.size() == 1 || keys.size() == 2) && areDifferent(keys), "key");
    require(arguments.size() == 4, "arguments");
    double capacity = integer(arguments.get(0), "capacity", 1, MOST_UNITS);
    double tokens = integer(arguments.get(1), "tokens", 1, MOST_UNITS);
    double interval = integer(arguments.get(2), "interval", 1, MOST_TTL_S);
    double ttl = Math.ceil(capacity / tokens) * interval + 60;
    require(ttl <= MOST_TTL_S, "capacity");
    double now = integer(arguments.get(3), "now", 0, CheckedNumbers.MOST_AMOUNT);
    String timeKey =
        Objects.requireNonNull(secondKey(DropInScript.TOKEN_BATCHES, keys), "there is always one");
    StoredPair read = StoredPair.read(store, keys.get(0), timeKey);
    StoredPair state = read == null ? new StoredPair(capacity, now) : read;
    require(isWhole(state.amount()) && isWhole(state.last()), "state");
    double batches = Math.max(0.0, Math.floor((now - state.last()) / interval));
    double held = Math.min(capacity, state.amount() + batches * tokens);
    boolean steppedBack = state.last() > now + ttl;
    if (held < 1 && !steppedBack) {
      return -1L;
    }
    double last = steppedBack ? now + ttl : state.last() + batches * interval;
    new StoredPair(Math.max(0.0, held - 1), last).write(store, keys.get(0), timeKey, ttl);
    return (long) held - 1;
  }

  private static boolean isWhole(double value) {
    return value == Math.rint(value);
  }

  private static Object counter(DropInStore store, List<String> keys, List<String> arguments)
      throws DropInError {
    require(keys.size() == 1, "key");
    require(arguments.size() == 2, "arguments");
    double limit = integer(arguments.get(0), "limit", 1, MOST_UNITS);
    double seconds = integer(arguments.get(1), "seconds", 1, MOST_TTL_S);
    String key = keys.get(0);
    String text = store.text(key);
    require(text == null || text.matches("0|[1-9]\\d{0,17}"), "state");
    long count = text == null ? 1 : Long.parseLong(text) + 1;
    boolean endless = store.get(key).ttlMs() == StoredValue.ENDLESS;
    if (count == 1 || (count > limit && endless)) {
      store.set(key, StoredValue.string(Long.toString(count), (long) seconds * 1000));
    } else {
      store.setAndKeepTtl(key, Long.toString(count));
    }
    return count > limit ? -1L : count;
  }
}
