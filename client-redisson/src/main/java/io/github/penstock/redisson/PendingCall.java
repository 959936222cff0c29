package io.github.penstock.redisson;

import io.github.penstock.core.spi.NotSentException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.redisson.api.RFuture;
import org.redisson.client.RedisConnectionException;
import org.redisson.client.RedisNodeNotFoundException;
import org.redisson.client.RedisResponseTimeoutException;
import org.redisson.client.RedisTimeoutException;
import org.redisson.client.WriteRedisConnectionException;

/**
 * One call on its way: counted until it is over, and cancelled with Redisson's own future, so that
 * a call that still waits for a connection is never sent. Safe for use by several threads.
 */
final class PendingCall extends CompletableFuture<@Nullable Object>
    implements BiConsumer<@Nullable Object, @Nullable Throwable> {
  private final RFuture<?> sent;
  private final AtomicInteger pending;

  PendingCall(RFuture<?> sent, AtomicInteger pending) {
    this.sent = sent;
    this.pending = pending;
    pending.incrementAndGet();
    sent.whenComplete(this);
  }

  @Override
  public void accept(@Nullable Object answer, @Nullable Throwable failure) {
    pending.decrementAndGet();
    if (failure == null) {
      complete(answer);
    } else {
      completeExceptionally(told(failure));
    }
  }

  @Override
  public boolean cancel(boolean mayInterrupt) {
    boolean cancelled = super.cancel(mayInterrupt);
    sent.cancel(mayInterrupt);
    return cancelled;
  }

  private static Throwable told(Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause instanceof RuntimeException known && neverLeft(known)
        ? NotSentException.notConnected(known)
        : cause;
  }

  /*
   * No connection could be obtained, or the connection did not take the command. A failed write is
   * another matter: some of a batch may have gone.
   */
  private static boolean neverLeft(RuntimeException failure) {
    return failure instanceof RedisTimeoutException
            && !(failure instanceof RedisResponseTimeoutException)
        || failure instanceof RedisConnectionException
            && !(failure instanceof WriteRedisConnectionException)
        || failure instanceof RedisNodeNotFoundException
        || failure.getCause() instanceof ConnectException
        || failure.getCause() instanceof NoRouteToHostException
        || failure.getCause() instanceof UnknownHostException;
  }
}
