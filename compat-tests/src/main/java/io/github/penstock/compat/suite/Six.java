package io.github.penstock.compat.suite;

import java.util.List;

/** The protocol's reply, by its names. */
record Six(boolean allowed, long limit, long remaining, long waitUs, long resetUs, long tier) {
  static Six of(List<Long> reply) {
    return new Six(
        reply.get(0) == 1, reply.get(1), reply.get(2), reply.get(3), reply.get(4), reply.get(5));
  }
}
