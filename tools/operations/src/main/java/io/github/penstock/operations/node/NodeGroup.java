package io.github.penstock.operations.node;

import java.util.List;
import java.util.stream.Stream;
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

  boolean isPrimary(HostAndPort address) {
    return primary.equals(address);
  }

  /** The primary first. */
  Stream<HostAndPort> all() {
    return Stream.concat(Stream.of(primary), replicas.stream());
  }
}
