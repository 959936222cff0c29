package io.github.penstock.redisson;

import io.github.penstock.core.spi.NotSentException;
import io.github.penstock.core.spi.TransportFailure;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.redisson.api.RFuture;
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
  private final TracedCall traced;
  private final NodeCalls node;
  private final @Nullable TlsRefusals refusals;
  private final Function<TracedCall, RFuture<?>> sender;
  private final long beganNanos = System.nanoTime();
  private final AtomicBoolean taken = new AtomicBoolean();
  private volatile @Nullable RFuture<?> sent;

  /**
   * @param refusals of its client's connections; null if they are unknown
   */
  PendingCall(
      TracedCall traced,
      NodeCalls node,
      @Nullable TlsRefusals refusals,
      Function<TracedCall, RFuture<?>> sender) {
    this.traced = traced;
    this.node = node;
    this.refusals = refusals;
    this.sender = sender;
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
      RFuture<?> handed = sender.apply(traced);
      sent = handed;
      handed.whenComplete(this);
      if (isDone()) {
        handed.cancel(true);
      }
    } catch (RuntimeException e) {
      accept(null, e);
    }
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
