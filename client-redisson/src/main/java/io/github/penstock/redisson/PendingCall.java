package io.github.penstock.redisson;

import io.github.penstock.core.spi.NotSentException;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.TransportFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.redisson.api.FunctionMode;
import org.redisson.api.FunctionResult;
import org.redisson.api.RFunctionAsync;
import org.redisson.api.RFuture;
import org.redisson.api.RScript;
import org.redisson.api.RScriptAsync;
import org.redisson.client.ChannelName;
import org.redisson.client.RedisException;
import org.redisson.client.RedisTimeoutException;

/**
 * One call, which waits for its turn, and then is in Redisson's hands; it is cancelled with
 * Redisson's own future, so that a call that still waits for a connection is never sent. Safe for
 * use by several threads.
 */
final class PendingCall extends CompletableFuture<@Nullable Object>
    implements BiConsumer<@Nullable Object, @Nullable Throwable> {
  private static final TimeoutException LATE = new TimeoutException("not written in time");
  private final ScriptCall call;
  private final TracedCall traced;
  private final NodeCalls node;
  private final @Nullable TlsRefusals refusals;
  private final RScriptAsync scripts;
  private final RFunctionAsync functions;
  private final long beganNanos = System.nanoTime();
  private final AtomicBoolean taken = new AtomicBoolean();
  private volatile @Nullable RFuture<?> sent;

  /**
   * @param refusals of its client's connections; null if they are unknown
   */
  PendingCall(
      ScriptCall call,
      NodeCalls node,
      @Nullable TlsRefusals refusals,
      RScriptAsync scripts,
      RFunctionAsync functions) {
    this.call = call;
    traced = new TracedCall(call);
    this.node = node;
    this.refusals = refusals;
    this.scripts = scripts;
    this.functions = functions;
  }

  /** When it began. */
  long began() {
    return beganNanos;
  }

  /** It is its turn: hands it to Redisson, unless it was given up. */
  void hand() {
    if (!taken.compareAndSet(false, true)) {
      node.ended();
      node.handOn();
      return;
    }
    try {
      RFuture<?> handed = handed();
      sent = handed;
      handed.whenComplete(this);
      if (isDone()) {
        handed.cancel(true);
      }
    } catch (RuntimeException e) {
      accept(null, e);
    }
  }

  private RFuture<?> handed() {
    boolean peek = call.verb().readOnly();
    RScript.Mode mode = peek ? RScript.Mode.READ_ONLY : RScript.Mode.READ_WRITE;
    String route = call.keyText();
    String target = call.targetText();
    return switch (call.verb()) {
      case EVALSHA, EVALSHA_RO ->
          scripts.evalShaAsync(route, mode, target, RScript.ReturnType.VALUE, keys(), arguments());
      case EVAL, EVAL_RO ->
          scripts.evalAsync(route, mode, target, RScript.ReturnType.VALUE, keys(), arguments());
      case FCALL, FCALL_RO ->
          functions.callAsync(
              route,
              peek ? FunctionMode.READ : FunctionMode.WRITE,
              target,
              FunctionResult.VALUE,
              keys(),
              arguments());
    };
  }

  /* Those after the first are names, too: the name mapper would change bytes. */
  private List<Object> keys() {
    int count = call.keyCount();
    if (count == 1) {
      return List.of(traced);
    }
    List<Object> keys = new ArrayList<>(count);
    keys.add(traced);
    for (int i = 1; i < count; i++) {
      keys.add(new ChannelName(call.key(i)));
    }
    return keys;
  }

  private Object[] arguments() {
    Object[] arguments = new Object[call.argumentCount()];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = call.argument(i);
    }
    return arguments;
  }

  /** Ends it, if Redisson does not have it yet. */
  void giveUp() {
    if (taken.compareAndSet(false, true)) {
      completeExceptionally(late());
    }
  }

  @Override
  public void accept(@Nullable Object answer, @Nullable Throwable failure) {
    Throwable thrown = failure == null ? null : TransportFailure.unwrapped(failure);
    node.ended();
    if (thrown == null) {
      complete(answer);
    } else {
      completeExceptionally(told(thrown));
    }
    node.handOn();
  }

  /* It was not written; or the last attempt was not, after a redirection. */
  private Throwable told(Throwable thrown) {
    if (!(thrown instanceof RuntimeException known)
        || (!(known instanceof RedisException) || traced.wasWritten())
            && !RedissonFailures.neverLeft(known)) {
      return thrown;
    }
    RuntimeException reason = refused(known);
    return reason instanceof RedisTimeoutException
        ? new NotSentException(new RedisException(reason.getMessage(), LATE))
        : NotSentException.notConnected(reason);
  }

  /* No connection was free for it in time, or the server refuses the client's. */
  private NotSentException late() {
    RuntimeException full = new RedisException("no connection came free in time", LATE);
    RuntimeException reason = refused(full);
    return reason == full ? new NotSentException(full) : NotSentException.notConnected(reason);
  }

  private RuntimeException refused(RuntimeException failure) {
    return refusals == null ? failure : refusals.told(failure);
  }

  @Override
  public boolean cancel(boolean mayInterrupt) {
    boolean neverSent = taken.compareAndSet(false, true) || traced.giveUp();
    boolean ended = neverSent ? completeExceptionally(late()) : super.cancel(mayInterrupt);
    RFuture<?> handed = sent;
    if (handed != null) {
      handed.cancel(mayInterrupt);
    }
    return ended;
  }
}
