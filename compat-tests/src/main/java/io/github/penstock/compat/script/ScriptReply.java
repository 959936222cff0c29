package io.github.penstock.compat.script;

import java.util.List;

/** The protocol's reply, by its names. */
public record ScriptReply(
    boolean allowed, long limit, long remaining, long waitUs, long resetUs, long tier) {
  public static ScriptReply of(List<Long> reply) {
    return new ScriptReply(
        reply.get(0) == 1, reply.get(1), reply.get(2), reply.get(3), reply.get(4), reply.get(5));
  }
}
