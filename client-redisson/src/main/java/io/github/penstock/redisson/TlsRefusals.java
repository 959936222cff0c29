package io.github.penstock.redisson;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslHandler;
import java.time.Duration;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.redisson.client.DefaultNettyHook;
import org.redisson.client.RedisConnectionException;

/**
 * Bounds the TLS handshake, for which Redisson allows 10 s regardless of its time-outs, and stores
 * the reason that a server refused the latest connection. In TLS 1.3 a client has ended its
 * handshake before the server looks at the client's certificate: Redisson only logs the server's
 * alert, and waits in vain for its first answer. Safe for use by several threads.
 */
final class TlsRefusals extends DefaultNettyHook {
  private static final String ALERT = "Received fatal alert";

  private final long handshakeMillis;
  private volatile @Nullable Throwable latest;

  TlsRefusals(Duration handshake) {
    handshakeMillis = handshake.toMillis();
  }

  /** The failure to connect, with the server's refusal as its cause if there was one. */
  RuntimeException told(RuntimeException failure) {
    Throwable refusal = latest;
    return refusal == null ? failure : new RedisConnectionException(failure.getMessage(), refusal);
  }

  @Override
  public void afterChannelInitialization(Channel channel) {
    ChannelPipeline pipeline = channel.pipeline();
    SslHandler tls = pipeline.get(SslHandler.class);
    if (tls != null) {
      tls.setHandshakeTimeoutMillis(handshakeMillis);
      String name = pipeline.context(tls).name();
      pipeline.addAfter(name, "penstock-refusals", new FirstAnswer());
    }
  }

  /** Of one connection, until its first answer. */
  private final class FirstAnswer extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object bytes) {
      latest = null;
      context.pipeline().remove(this);
      context.fireChannelRead(bytes);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable thrown) {
      if (thrown.getCause() instanceof SSLException refusal
          && String.valueOf(refusal.getMessage()).startsWith(ALERT)) {
        latest = refusal;
      }
      context.fireExceptionCaught(thrown);
    }
  }
}
