package io.github.penstock.testkit.server;

import io.github.penstock.testkit.resp.RedisUrl;

/**
 * A server that somebody else runs, and that is left running.
 *
 * @param url where it is
 */
public record GivenServer(RedisUrl url) implements TestServer, ServerSource {

  @Override
  public String name() {
    return url.toString();
  }

  /** This server; an IllegalArgumentException if options are given, because it runs already. */
  @Override
  public TestServer start(String... options) {
    if (options.length > 0) {
      throw new IllegalArgumentException("options must be empty for a server that runs already");
    }
    return this;
  }

  @Override
  public void close() {
    return;
  }
}
