package io.github.penstock.testkit.server;

import io.github.penstock.testkit.resp.RedisUrl;

/**
 * A server that somebody else started and ends; closing this does nothing.
 *
 * @param name the name by which it was asked for
 * @param url where it is
 */
public record GivenServer(String name, RedisUrl url) implements TestServer, ServerSource {
  /** A server that has no name but its URL. */
  public GivenServer(RedisUrl url) {
    this(url.toString(), url);
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
