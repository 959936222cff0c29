package io.github.penstock.lettuce;

import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.ssl.SslHandler;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Closes a connection on which no data arrived within {@code longest} after a write, so that
 * Lettuce makes a new one: otherwise a hanging proxy, or a dropped NAT entry, would keep all calls
 * waiting forever, because the old connection never ends.
 *
 * <p>Only for connections of our own. On the application's connection it would cut off commands
 * that may take long, and that Lettuce sends again. Immutable, safe for use by several threads.
 */
record SilenceWatch(Duration longest) implements NettyCustomizer {
  @Override
  public void afterChannelInitialized(Channel channel) {
    channel.pipeline().addFirst("penstock-silence", new Watch(longest.toNanos()));
  }

  /** Of one connection; for the thread of its event loop. */
  private static final class Watch extends ChannelDuplexHandler {
    /* An event loop that was held up itself may find the answer only after its check. */
    private static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final long longestNanos;
    private boolean waiting;
    private boolean watching;
    private boolean overdue;
    private long writtenNanos;

    Watch(long longestNanos) {
      this.longestNanos = longestNanos;
    }

    @Override
    public void write(ChannelHandlerContext context, Object bytes, ChannelPromise promise) {
      if (!waiting) {
        waiting = true;
        overdue = false;
        writtenNanos = System.nanoTime();
        watch(context, longestNanos);
      }
      context.write(bytes, promise);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object bytes) {
      waiting = false;
      context.fireChannelRead(bytes);
    }

    private void watch(ChannelHandlerContext context, long nanos) {
      if (!watching) {
        watching = true;
        context.executor().schedule(() -> check(context), nanos, TimeUnit.NANOSECONDS);
      }
    }

    /*
     * Lettuce would wait forever if it lost the connection meanwhile; this wait has a separate
     * limit.
     */
    private static boolean isShakingHands(ChannelHandlerContext context) {
      SslHandler tls = context.pipeline().get(SslHandler.class);
      return tls != null && !tls.handshakeFuture().isDone();
    }

    private void check(ChannelHandlerContext context) {
      watching = false;
      long left = writtenNanos + longestNanos - System.nanoTime();
      if (!waiting || !context.channel().isActive() || isShakingHands(context)) {
        return;
      }
      if (left > 0) {
        watch(context, left);
      } else if (!overdue) {
        overdue = true;
        watch(context, GRACE_NANOS);
      } else {
        context.close();
      }
    }
  }
}
