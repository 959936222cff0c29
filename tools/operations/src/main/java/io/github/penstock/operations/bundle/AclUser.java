package io.github.penstock.operations.bundle;

import java.util.List;
import java.util.stream.Stream;

/**
 * A user with only the rights for its purpose.
 *
 * @param purpose its purpose
 * @param needs the oldest server that knows these rules
 * @param rules those of ACL SETUSER, without a password
 */
public record AclUser(String name, String purpose, String needs, List<String> rules) {
  /* Clients also send these, on connecting and to find their way in a cluster. */
  private static final List<String> CONNECTION =
      List.of(
          "+ping",
          "+select",
          "+asking",
          "+readonly",
          "+client|setname",
          "+cluster|slots",
          "+cluster|nodes");

  private static final List<String> NO_KEYS = List.of();
  private static final List<String> NOTHING_INSIDE = List.of();
  private static final String SIX = "Redis 6.0";
  private static final String SEVEN = "Redis 7.0";

  public AclUser {
    rules = List.copyOf(rules);
  }

  /**
   * All users.
   *
   * @param keys patterns of the keys that they may reach
   * @param scripts those that they may call
   */
  public static List<AclUser> all(List<String> keys, List<BundleItem> scripts) {
    List<String> commands = ShippedManifest.read().commands(scripts);
    List<String> writable = keys.stream().map(pattern -> "~" + pattern).toList();
    List<String> readable = keys.stream().map(pattern -> "%R~" + pattern).toList();
    List<String> inside = commands.stream().map(command -> "+" + command).toList();
    List<String> looking = List.of("+get", "+time");
    List<String> fleet = List.of("+info", "+wait");
    return List.of(
        user(SEVEN, "fcall", "calls functions and runs no other Lua; recommended")
            .with(writable, List.of("+fcall"), inside),
        user(SIX, "evalsha", "calls scripts that are loaded; cannot recover from NOSCRIPT")
            .with(writable, List.of("+evalsha"), inside),
        user(SIX, "eval", "the same, and sends the script after NOSCRIPT, as all clients do")
            .with(writable, List.of("+evalsha", "+eval"), inside),
        user(SEVEN, "peek", "peeks by FCALL_RO or EVALSHA_RO, also on replicas")
            .with(readable, List.of("+fcall_ro", "+evalsha_ro"), looking),
        user(SIX, "peek-6", "peeks by EVALSHA, also on replicas")
            .with(writable, List.of("+evalsha"), looking),
        user(SIX, "loader", "loads and verifies the scripts; reaches no key")
            .with(NO_KEYS, List.of("+script|load", "+script|exists"), fleet),
        user(SEVEN, "function-loader", "loads and verifies the Functions library; reaches no key")
            .with(NO_KEYS, List.of("+function|load", "+function|list"), fleet),
        user(SIX, "operator", "explains and resets keys; sees the names of all keys")
            .with(
                writable,
                List.of("+get", "+pttl", "+exists", "+time", "+scan", "+del"),
                NOTHING_INSIDE));
  }

  private static AclUser user(String needs, String name, String purpose) {
    return new AclUser("penstock-" + name, purpose, needs, List.of());
  }

  private AclUser with(List<String> keys, List<String> calls, List<String> inside) {
    List<String> all =
        Stream.of(List.of("reset", "on"), keys, calls, inside, CONNECTION)
            .flatMap(List::stream)
            .toList();
    return new AclUser(name, purpose, needs, all);
  }

  /** The whole command, with a placeholder for the password. */
  public String command() {
    return "ACL SETUSER %s %s >PASSWORD".formatted(name, String.join(" ", rules));
  }
}
