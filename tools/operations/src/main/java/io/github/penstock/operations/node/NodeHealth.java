package io.github.penstock.operations.node;

import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.testkit.resp.RespError;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The effect of a server's own settings on limits.
 *
 * @param warnings a sentence each
 * @param aheadMicros how far its clock is ahead of this machine's, to within one trip; null if it
 *     does not say
 */
record NodeHealth(List<String> warnings, @Nullable Long aheadMicros) {
  static final NodeHealth UNKNOWN = new NodeHealth(List.of(), null);

  /*
   * Scripts count in doubles up to 2^63 and in quotients that are whole. Lua 5.3 and later have
   * integers, in which the product wraps, and write the quotient as 3.0.
   */
  private static final String PROBE =
      "return {_VERSION, tostring(6 / 2) .. ' ' .. string.format('%.0f', 3037000500 * 3037000500),"
          + " 9007199254740991}";

  private static final String REPLICATION = "lua-replicate-commands";

  static final List<Object> EXACT = List.of("Lua 5.1", "3 9223372037000249344", 9007199254740991L);

  NodeHealth {
    warnings = List.copyOf(warnings);
  }

  /**
   * Asks a server.
   *
   * @throws UserErrorException if scripts cannot run there, or would not be exact
   */
  static NodeHealth of(NodeConnection node) {
    List<String> warnings = new ArrayList<>();
    String lua = luaWarning(node.call("EVAL", PROBE, "0"));
    if (lua != null) {
      warnings.add(node.address() + " " + lua);
    }
    Instant before = Instant.now();
    String info = String.valueOf(node.expect("INFO"));
    Instant after = Instant.now();
    if (NodeSearch.field(info, "redis_version").startsWith("6.")) {
      String writing = writeWarning(node.call("CONFIG", "GET", REPLICATION));
      if (writing != null) {
        warnings.add(node.address() + " " + writing);
      }
    }
    String policy = NodeSearch.field(info, "maxmemory_policy");
    if (!policy.isEmpty() && !policy.equals("noeviction")) {
      boolean bounded = !NodeSearch.field(info, "maxmemory").equals("0");
      warnings.add(
          node.address()
              + " has maxmemory-policy "
              + policy
              + (bounded ? "" : " (and no maxmemory yet)")
              + ", so a key can go before its limit does, and its units are admitted twice: set noeviction.");
    }
    if (node.call("CLIENT", "SETINFO", "LIB-NAME", "penstock") instanceof RespError error
        && error.text().startsWith("NOPERM")
        && error.text().contains("client|setinfo")) {
      warnings.add(
          node.address()
              + " does not let this user run client|setinfo, which clients send with each new"
              + " connection: every one is an entry of ACL LOG. Add +client|setinfo.");
    }
    return new NodeHealth(
        warnings, ahead(NodeSearch.field(info, "server_time_usec"), before, after));
  }

  /**
   * The warning of an answer to the probe; null if it is right.
   *
   * @throws UserErrorException if scripts cannot run, or would not be exact
   */
  static @Nullable String luaWarning(@Nullable Object answer) {
    if (EXACT.equals(answer)) {
      return null;
    }
    if (answer instanceof RespError error && error.text().startsWith("NOPERM")) {
      return "was not asked whether its Lua is exact: this user may not run EVAL.";
    }
    throw new UserErrorException(
        (answer instanceof RespError error
                ? "it does not run Lua scripts (" + error.text() + ")"
                : "its Lua does not compute as Redis' does ("
                    + answer
                    + " instead of "
                    + EXACT
                    + ")")
            + ", so limits would be wrong there: docs/reliability.md has the servers that work.");
  }

  /**
   * The warning of an answer about how scripts are replicated, which only Redis 6 can change; null
   * if it is right.
   *
   * @throws UserErrorException if no script may write after it asked the time
   */
  static @Nullable String writeWarning(@Nullable Object answer) {
    if (answer instanceof List<?> setting && setting.contains("no")) {
      throw new UserErrorException(
          "its " + REPLICATION + " is no, so every charge fails there: set it to yes.");
    }
    return answer instanceof List<?>
        ? null
        : "was not asked for its " + REPLICATION + ": this user may not run CONFIG GET.";
  }

  private static @Nullable Long ahead(String serverMicros, Instant before, Instant after) {
    if (serverMicros.isEmpty()) {
      return null;
    }
    Instant server = Instant.EPOCH.plus(Long.parseLong(serverMicros), ChronoUnit.MICROS);
    if (server.isBefore(before)) {
      return ChronoUnit.MICROS.between(before, server);
    }
    return server.isAfter(after) ? ChronoUnit.MICROS.between(after, server) : Long.valueOf(0);
  }
}
