package io.github.penstock.cli.node;

import java.util.List;
import redis.clients.jedis.HostAndPort;

/**
 * A server that takes writes, and those that copy it.
 *
 * @param primary where calls go
 * @param replicas all that the deployment names, also those that are down
 */
record NodeGroup(HostAndPort primary, List<HostAndPort> replicas) {
  NodeGroup {
    replicas = List.copyOf(replicas);
  }
}
