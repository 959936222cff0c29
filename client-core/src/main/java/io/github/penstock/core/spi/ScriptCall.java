package io.github.penstock.core.spi;

import io.github.penstock.core.spi.time.TimeSource;
import io.github.penstock.scripts.LuaScript;
import io.github.penstock.scripts.ReservationScript;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One call of a script, ready to be sent: {@code verb target keys key... argument...}. A limit's
 * script has one key; the keys of a reservation are all of one slot.
 *
 * <p>All bytes are shared and must not be changed. Immutable, safe for use by several threads.
 */
public final class ScriptCall {
  /*
   * Everything that is the same for every call (SHA1, source, function names, the tiers of a limit) is encoded
   * once, so a call owns no more than its key and, where it is not 1, its cost. Targets are found by
   * the ordinals of script and verb.
   */
  private static final CallTarget[][] OF_LIMITS =
      Stream.of(LuaScript.values())
          .map(
              script ->
                  targets(
                      script.scriptName(),
                      true,
                      script.sha1(),
                      script.source(),
                      script.functionName(),
                      script.peekFunctionName()))
          .toArray(CallTarget[][]::new);

  private static final CallTarget[][] OF_RESERVATIONS =
      Stream.of(ReservationScript.values())
          .map(
              script ->
                  targets(
                      script.scriptName(),
                      false,
                      script.sha1(),
                      script.source(),
                      script.functionName(),
                      script.functionName()))
          .toArray(CallTarget[][]::new);

  private static final byte[][] NO_KEYS = {};
  private static final byte[] PEEK = {'0'};
  private static final byte[][] ONE_A_SECOND = {{'1'}, {'1', '0', '0', '0', '0', '0', '0'}};

  /** The command that runs the script. */
  public enum Verb {
    /** By SHA1. */
    EVALSHA,
    /** By source, after the server did not know the SHA1. */
    EVAL,
    /** By SHA1, may go to a replica. */
    EVALSHA_RO,
    /** By source, may go to a replica. */
    EVAL_RO,
    /** By function name. */
    FCALL,
    /** By the name of the function that only peeks, may go to a replica. */
    FCALL_RO;

    /** Returns whether the call only peeks, so that it may go to a replica. */
    public boolean readOnly() {
      return this == EVALSHA_RO || this == EVAL_RO || this == FCALL_RO;
    }

    private String target(String sha1, String source, String function, String peekFunction) {
      return switch (this) {
        case EVALSHA, EVALSHA_RO -> sha1;
        case EVAL, EVAL_RO -> source;
        case FCALL -> function;
        case FCALL_RO -> peekFunction;
      };
    }
  }

  /** A script as the first argument of one command names it. */
  private record CallTarget(String scriptName, boolean ofLimit, String text, byte[] bytes) {}

  private final Verb verb;
  private final CallTarget[] targets;
  private final byte[] key;
  private final byte[][] moreKeys;
  private final byte @Nullable [] cost;
  private final byte[][] tiers;
  private final long deadlineNanos;
  private final TimeSource time;

  /**
   * A call whose arguments are {@code cost}, if there is one, and then {@code tiers}.
   *
   * @param deadlineNanos the time after which an answer is useless
   * @param time the clock that the deadline is of
   */
  public ScriptCall(
      Verb verb,
      LuaScript script,
      byte[] key,
      byte @Nullable [] cost,
      byte[][] tiers,
      long deadlineNanos,
      TimeSource time) {
    this(verb, OF_LIMITS[script.ordinal()], key, NO_KEYS, cost, tiers, deadlineNanos, time);
  }

  /**
   * A call of a reservation.
   *
   * @param key the first key
   * @param moreKeys the others, of the same slot
   */
  public ScriptCall(
      Verb verb,
      ReservationScript script,
      byte[] key,
      byte[][] moreKeys,
      byte[][] arguments,
      long deadlineNanos,
      TimeSource time) {
    this(
        verb,
        OF_RESERVATIONS[script.ordinal()],
        key,
        moreKeys,
        null,
        arguments,
        deadlineNanos,
        time);
  }

  private ScriptCall(
      Verb verb,
      CallTarget[] targets,
      byte[] key,
      byte[][] moreKeys,
      byte @Nullable [] cost,
      byte[][] tiers,
      long deadlineNanos,
      TimeSource time) {
    this.verb = verb;
    this.targets = targets;
    this.key = key;
    this.moreKeys = moreKeys;
    this.cost = cost;
    this.tiers = tiers;
    this.deadlineNanos = deadlineNanos;
    this.time = time;
  }

  /** The call by source. */
  public ScriptCall bySource() {
    Verb bySource = verb.readOnly() ? Verb.EVAL_RO : Verb.EVAL;
    return new ScriptCall(bySource, targets, key, moreKeys, cost, tiers, deadlineNanos, time);
  }

  /** The call with another deadline. */
  public ScriptCall until(long otherDeadlineNanos) {
    return new ScriptCall(verb, targets, key, moreKeys, cost, tiers, otherDeadlineNanos, time);
  }

  /**
   * The check for a call (rule F2): a peek with its script, key and command. For a call under
   * several limits it is a peek of a fixed window at the first key, as any answer is enough.
   */
  public ScriptCall check() {
    Verb own = verb == Verb.FCALL || verb == Verb.FCALL_RO ? Verb.FCALL : Verb.EVALSHA;
    return cost == null
        ? new ScriptCall(own, LuaScript.FIXED_WINDOW, key, PEEK, ONE_A_SECOND, deadlineNanos, time)
        : new ScriptCall(own, targets, key, NO_KEYS, PEEK, tiers, deadlineNanos, time);
  }

  /** The call that asks for so many calls of its cost, of which those that fit are charged. */
  public ScriptCall several(long calls) {
    byte[] several =
        (new String(argument(0), StandardCharsets.US_ASCII) + "*" + calls)
            .getBytes(StandardCharsets.US_ASCII);
    return new ScriptCall(verb, targets, key, moreKeys, several, tiers, deadlineNanos, time);
  }

  /** Returns the units that it asks for if it is a charge of one call; else 0. */
  public long charge() {
    long units = 0;
    if (cost != null && (verb == Verb.EVALSHA || verb == Verb.FCALL)) {
      for (byte digit : cost) {
        if (digit < '0' || digit > '9') {
          return 0;
        }
        units = 10 * units + digit - '0';
      }
    }
    return units;
  }

  /** Two calls are equal if the same bytes are sent for them, whatever their deadlines. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ScriptCall call
        && verb == call.verb
        && targets == call.targets
        && Arrays.equals(key, call.key)
        && Arrays.equals(cost, call.cost)
        && (tiers == call.tiers || Arrays.deepEquals(tiers, call.tiers))
        && Arrays.deepEquals(moreKeys, call.moreKeys);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(key) + Arrays.hashCode(cost);
  }

  /** The command. */
  public Verb verb() {
    return verb;
  }

  /** The name of the script that is called. */
  public String scriptName() {
    return targets[0].scriptName;
  }

  /** Returns whether it costs 0 units of a limit. */
  public boolean peeks() {
    return targets[0].ofLimit && argumentCount() > 0 && Arrays.equals(argument(0), PEEK);
  }

  /** The command's first argument: SHA1, source or function name. */
  public byte[] target() {
    return targets[verb.ordinal()].bytes;
  }

  /** {@link #target()} for a client that wants text. */
  public String targetText() {
    return targets[verb.ordinal()].text;
  }

  /** Returns how many keys there are, at least 1. */
  public int keyCount() {
    return 1 + moreKeys.length;
  }

  /**
   * A key.
   *
   * @param index from 0 to below {@link #keyCount()}
   */
  public byte[] key(int index) {
    return index == 0 ? key : moreKeys[index - 1];
  }

  /** The first key, which determines the cluster node. */
  public byte[] key() {
    return key;
  }

  /** {@link #key()} for a client that wants text. */
  public String keyText() {
    return new String(key, StandardCharsets.UTF_8);
  }

  /** Returns how many arguments follow the keys. */
  public int argumentCount() {
    return tiers.length + (cost == null ? 0 : 1);
  }

  /**
   * An argument after the keys.
   *
   * @param index from 0 to below {@link #argumentCount()}
   */
  public byte[] argument(int index) {
    if (cost == null) {
      return tiers[index];
    }
    return index == 0 ? cost : tiers[index - 1];
  }

  /** The time after which an answer is useless, by the clock of the limiters. */
  public long deadlineNanos() {
    return deadlineNanos;
  }

  /** Nanoseconds that are left until then; not positive if it has passed. */
  public long remainingNanos() {
    return deadlineNanos - time.nanos();
  }

  @Override
  public String toString() {
    return verb + " " + scriptName() + " " + keyText();
  }

  private static CallTarget[] targets(
      String name,
      boolean ofLimit,
      String sha1,
      String source,
      String function,
      String peekFunction) {
    return Stream.of(Verb.values())
        .map(verb -> verb.target(sha1, source, function, peekFunction))
        .map(text -> new CallTarget(name, ofLimit, text, text.getBytes(StandardCharsets.UTF_8)))
        .toArray(CallTarget[]::new);
  }
}
