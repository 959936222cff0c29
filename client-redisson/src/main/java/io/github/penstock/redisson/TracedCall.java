package io.github.penstock.redisson;

import io.github.penstock.core.spi.ScriptCall;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.redisson.client.ChannelName;
import org.redisson.client.handler.CommandsQueue;

/**
 * The key of one call, which notices that the call is written. Safe for use by several threads.
 *
 * <p>Redisson's futures do not report whether a command was written. But it reads the bytes of a
 * {@link ChannelName} when it encodes the command, on its way to the connection, and not before. A
 * call that was given up refuses then, so that nothing of it is sent.
 */
final class TracedCall extends ChannelName {
  private static final boolean MAY_REFUSE = mayRefuse();
  private static final byte[] NO_NAME = {};
  private final ScriptCall call;
  private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.WAITING);

  private enum Stage {
    WAITING,
    WRITTEN,
    GIVEN_UP
  }

  /** A call that is not written yet. */
  TracedCall(ScriptCall call) {
    super(NO_NAME);
    this.call = call;
  }

  /** Returns whether Redisson has begun to write it. */
  boolean wasWritten() {
    return stage.get() == Stage.WRITTEN;
  }

  /** Gives it up; returns whether it was not written, and never will be. */
  boolean giveUp() {
    return MAY_REFUSE && stage.compareAndSet(Stage.WAITING, Stage.GIVEN_UP);
  }

  @Override
  public byte[] getName() {
    if (!stage.compareAndSet(Stage.WAITING, Stage.WRITTEN) && stage.get() == Stage.GIVEN_UP) {
      throw new CancellationException("given up before it was written");
    }
    return call.key();
  }

  /* Unlike two names of a channel, two calls are never equal. */
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }

  @Override
  public String toString() {
    return call.keyText();
  }

  /*
   * Older versions hold a lock while they encode, which is not reentrant: a refusal, after which
   * the connection serves the next call, would spin there forever.
   */
  private static boolean mayRefuse() {
    return Arrays.stream(CommandsQueue.class.getDeclaredFields())
        .map(Field::getType)
        .filter(type -> type.getName().equals("org.redisson.misc.SpinLock"))
        .flatMap(lock -> Arrays.stream(lock.getConstructors()))
        .anyMatch(reentrantOrNot -> reentrantOrNot.getParameterCount() == 1);
  }
}
