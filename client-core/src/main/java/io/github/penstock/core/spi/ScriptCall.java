package io.github.penstock.core.spi;

import io.github.penstock.scripts.LuaScript;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One call of a script, ready to be sent: {@code verb target 1 key argument...}.
 *
 * <p>All bytes are shared and must not be changed. Immutable, safe for use by several threads.
 */
public final class ScriptCall {
  /*
   * Everything that is the same for every call (SHA1, source, function names, the tiers of a limit) is encoded
   * once, so a call owns no more than its key and, where it is not 1, its cost. Targets are found by
   * the ordinals of verb and script.
   */
  private static final byte[][][] TARGETS =
      Stream.of(Verb.values()).map(ScriptCall::targets).toArray(byte[][][]::new);

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

    String target(LuaScript script) {
      return switch (this) {
        case EVALSHA, EVALSHA_RO -> script.sha1();
        case EVAL, EVAL_RO -> script.source();
        case FCALL -> script.functionName();
        case FCALL_RO -> script.peekFunctionName();
      };
    }
  }

  private final Verb verb;
  private final LuaScript script;
  private final byte[] key;
  private final byte @Nullable [] cost;
  private final byte[][] tiers;
  private final long deadlineNanos;

  /**
   * A call whose arguments are {@code cost}, if there is one, and then {@code tiers}.
   *
   * @param deadlineNanos when an answer is of no use any more, as {@link System#nanoTime()} counts
   */
  public ScriptCall(
      Verb verb,
      LuaScript script,
      byte[] key,
      byte @Nullable [] cost,
      byte[][] tiers,
      long deadlineNanos) {
    this.verb = verb;
    this.script = script;
    this.key = key;
    this.cost = cost;
    this.tiers = tiers;
    this.deadlineNanos = deadlineNanos;
  }

  /** The same call by source. */
  public ScriptCall bySource() {
    Verb bySource = verb.readOnly() ? Verb.EVAL_RO : Verb.EVAL;
    return new ScriptCall(bySource, script, key, cost, tiers, deadlineNanos);
  }

  /** The command. */
  public Verb verb() {
    return verb;
  }

  /** The script that is called. */
  public LuaScript script() {
    return script;
  }

  /** The command's first argument: SHA1, source or function name. */
  public byte[] target() {
    return TARGETS[verb.ordinal()][script.ordinal()];
  }

  /** {@link #target()} for a client that wants text. */
  public String targetText() {
    return verb.target(script);
  }

  /** The one key, which determines the cluster node. */
  public byte[] key() {
    return key;
  }

  /** {@link #key()} for a client that wants text. */
  public String keyText() {
    return new String(key, StandardCharsets.UTF_8);
  }

  /** Returns how many arguments follow the key. */
  public int argumentCount() {
    return tiers.length + (cost == null ? 0 : 1);
  }

  /**
   * An argument after the key.
   *
   * @param index from 0 to below {@link #argumentCount()}
   */
  public byte[] argument(int index) {
    if (cost == null) {
      return tiers[index];
    }
    return index == 0 ? cost : tiers[index - 1];
  }

  /** The time after which an answer is useless, as {@link System#nanoTime()} counts. */
  public long deadlineNanos() {
    return deadlineNanos;
  }

  /** Nanoseconds that are left until then; not positive if it has passed. */
  public long remainingNanos() {
    return deadlineNanos - System.nanoTime();
  }

  @Override
  public String toString() {
    return verb + " " + script.scriptName() + " " + keyText();
  }

  private static byte[][] targets(Verb verb) {
    return Stream.of(LuaScript.values())
        .map(script -> text(verb.target(script)))
        .toArray(byte[][]::new);
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
