package io.github.penstock.testkit.server;

/** Something that servers can be started from. */
public interface ServerSource {
  /** A short name, such as {@code embedded} or {@code redis-8.0}. */
  String name();

  /**
   * Starts a server that keeps nothing on disk, and waits until it answers.
   *
   * @param options more of the server's own options, such as {@code --cluster-enabled yes}
   * @throws IllegalStateException if it does not answer within 60 s; the message contains its
   *     output
   */
  TestServer start(String... options);
}
