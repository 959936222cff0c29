package io.github.penstock.redisson;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslHandler;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.redisson.client.NettyHook;
import org.redisson.client.RedisConnectionException;
import org.redisson.config.Config;

/**
 * Keeps why a server refused the latest TLS connection. In TLS 1.3 a client has ended its handshake
 * before the server looks at the client's certificate: Redisson only logs what the server then
 * says, and waits in vain for its first answer. Safe for use by several threads.
 */
final class TlsRefusals implements NettyHook {
  private static final String ALERT = "Received fatal alert";

  private final NettyHook given;
  private volatile @Nullable Throwable latest;

  private TlsRefusals(NettyHook given) {
    this.given = given;
  }

  /** Hears of the connections of clients that will be made of this configuration. */
  static TlsRefusals of(Config config) {
    TlsRefusals refusals = new TlsRefusals(config.getNettyHook());
    config.setNettyHook(refusals);
    return refusals;
  }

  /** The failure to connect, with the server's refusal as its cause if there was one. */
  RuntimeException told(RuntimeException failure) {
    Throwable refusal = latest;
    return refusal == null ? failure : new RedisConnectionException(failure.getMessage(), refusal);
  }

  @Override
  public void afterBoostrapInitialization(Bootstrap bootstrap) {
    given.afterBoostrapInitialization(bootstrap);
  }

  @Override
  public void afterChannelInitialization(Channel channel) {
    given.afterChannelInitialization(channel);
    ChannelPipeline pipeline = channel.pipeline();
    ChannelHandlerContext tls = pipeline.context(SslHandler.class);
    if (tls != null) {
      pipeline.addAfter(tls.name(), "penstock-refusals", new FirstAnswer());
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
