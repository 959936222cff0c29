package io.github.penstock.testkit.server;

import io.github.penstock.testkit.resp.RedisUrl;

/**
 * A server that several users share, so that none of them ends it.
 *
 * @param server the server itself
 */
record SharedServer(TestServer server) implements TestServer {

  @Override
  public String name() {
    return server.name();
  }

  @Override
  public RedisUrl url() {
    return server.url();
  }

  /** Does nothing: the server ends with the JVM. */
  @Override
  public void close() {
    return;
  }
}
