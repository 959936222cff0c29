package io.github.penstock.operations.node;

import io.github.penstock.operations.server.FailureSentences;

/** The sentences about what a server of a deployment answers, or the connection to it throws. */
final class NodeFailure {
  static final FailureSentences SENTENCES =
      new FailureSentences("ADDRESS answers: REASON")
          .on(
              "NOAUTH|WRONGPASS|invalid password",
              "ADDRESS refuses this user or password: put the right ones into the URI, or give --user"
                  + " and the environment variable PENSTOCK_PASSWORD.")
          .on(
              "AUTH.*without any password",
              "ADDRESS has no password set: leave the password out of the URI and of"
                  + " PENSTOCK_PASSWORD.")
          .on(
              "NOPERM",
              "ADDRESS does not let this user do that (REASON): sign in as another, or give it the"
                  + " rules of `penstock scripts acl`.")
          .on(
              "MOVED |CLUSTERDOWN",
              "ADDRESS is a node of a cluster, which does not serve this key: give"
                  + " --redis redis-cluster://...")
          .on("MASTERDOWN", "ADDRESS is a replica that has lost its primary: try again later.")
          .on(
              "WRONGTYPE",
              "the key holds no string, so no script of Penstock's wrote it: check its name.")
          .on(
              "(?i)unknown command.*(function|sentinel)|unknown subcommand.*function",
              "ADDRESS knows no such command (REASON): Functions need Redis 7.0 or newer, and"
                  + " redis-sentinel:// the address of a sentinel.")
          .on(
              "(?i)certificat|PKIX|No subject alternative|trustAnchors",
              "the certificate of ADDRESS is not trusted (REASON): give the authority that signed it"
                  + " with --ca FILE, and the host by a name that stands in it.")
          .on(
              "(?i)refused|failed to connect|unknown host|connect timed out|unreachable|no route",
              "no server answers at ADDRESS: start it, or correct --redis.");

  private NodeFailure() {}
}
