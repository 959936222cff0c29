package io.github.penstock.redisson;

import io.netty.channel.Channel;
import io.netty.handler.ssl.SslHandler;
import org.redisson.client.DefaultNettyHook;

/**
 * Bounds the TLS handshake, which Redisson leaves 10 s whatever its time-outs are. Immutable, safe
 * for use by several threads.
 */
final class HandshakeTimeout extends DefaultNettyHook {
  private final int millis;

  HandshakeTimeout(int millis) {
    this.millis = millis;
  }

  @Override
  public void afterChannelInitialization(Channel channel) {
    SslHandler tls = channel.pipeline().get(SslHandler.class);
    if (tls != null) {
      tls.setHandshakeTimeoutMillis(millis);
    }
  }
}
