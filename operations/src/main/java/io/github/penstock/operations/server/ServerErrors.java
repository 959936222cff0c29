package io.github.penstock.operations.server;

/** The sentences about what the Redis client and the limiters throw. */
final class ServerErrors {
  static final FailureSentences SENTENCES =
      new FailureSentences("ADDRESS failed: TEXT.")
          .on(
              "NOAUTH|WRONGPASS|invalid password",
              "ADDRESS refuses this user or password: put the right ones into the URI,"
                  + " --redis redis://user:password@host:port (redis://:password@host:port without a user).")
          .on(
              "AUTH.*without any password",
              "ADDRESS has no password set: leave the password out of the URI.")
          .on(
              "NOPERM",
              "ADDRESS does not let this user do that: TEXT. Give another user in the URI.")
          .on("MOVED |CLUSTERDOWN", "ADDRESS is a node of a cluster: give a single server.")
          .on(
              "OOM ",
              "ADDRESS has no memory left for another key: make room, or give another server.")
          .on(
              "(?i)refused|failed to connect|unknown host|connect timed out|unreachable",
              "no server answers at ADDRESS: start it, or correct --redis; without --redis an embedded server is started.");

  private ServerErrors() {}
}
