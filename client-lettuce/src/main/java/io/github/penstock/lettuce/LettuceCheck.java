package io.github.penstock.lettuce;

import io.github.penstock.core.spi.CheckConnection;
import io.github.penstock.core.spi.ScriptCall;
import io.lettuce.core.api.StatefulConnection;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.internal.ThreadExecutorMap;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The check on a connection of its own, or on one that carries calls. */
final class LettuceCheck implements CheckConnection {
  private final Consumer<ScriptCommand> writing;
  private final @Nullable AtomicLong heardNanos;
  private final Runnable closing;
  private volatile @Nullable ScriptCommand asked;
  private volatile @Nullable EventExecutor loop;

  private LettuceCheck(
      Consumer<ScriptCommand> writing, @Nullable AtomicLong heardNanos, Runnable closing) {
    this.writing = writing;
    this.heardNanos = heardNanos;
    this.closing = closing;
  }

  /** On a connection that only this uses. */
  static LettuceCheck own(StatefulConnection<byte[], byte[]> connection, Runnable closing) {
    return new LettuceCheck(
        command -> ScriptCommand.write(connection, List.of(command)), null, closing);
  }

  /**
   * On a connection that carries calls.
   *
   * @param writing writes a command
   * @param heardNanos when a call was last answered on the connection
   */
  static LettuceCheck shared(Consumer<ScriptCommand> writing, AtomicLong heardNanos) {
    return new LettuceCheck(writing, heardNanos, () -> {});
  }

  @Override
  public void write(ScriptCall call) {
    ScriptCommand command =
        ScriptCommand.of(call).onWrite(() -> loop = ThreadExecutorMap.currentExecutor());
    asked = command;
    writing.accept(command);
  }

  @Override
  public @Nullable Object read() {
    ScriptCommand command = asked;
    if (command == null) {
      throw new IllegalStateException("nothing was asked");
    }
    try {
      return command.toCompletableFuture().join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException known ? known : e;
    }
  }

  @Override
  public boolean carriesCalls() {
    return heardNanos != null;
  }

  @Override
  public long heardNanos() {
    return heardNanos == null ? CheckConnection.super.heardNanos() : heardNanos.get();
  }

  @Override
  public boolean afterReading(Runnable task) {
    return CheckConnection.afterReading(loop, task);
  }

  @Override
  public void close() {
    closing.run();
    ScriptCommand command = asked;
    if (command != null) {
      command.cancel(true);
    }
  }
}
