package io.github.penstock.compat.suite;

import io.github.penstock.compat.topology.DirectCommands;
import io.github.penstock.core.FixedWindow;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How often the calls of a load were charged, as the server has it. */
final class Charges {
  /** A limit that is never reached, and whose state is a count of charges. */
  static final FixedWindow LIMIT = FixedWindow.of(1_000_000_000, Duration.ofDays(1));

  private Charges() {}

  /** The charges on the subject of each call; the keys are as {@link KeyRules#key} says. */
  static Map<String, Long> of(List<Load.Call> calls, String policy, DirectCommands server) {
    List<String> subjects = calls.stream().map(Load.Call::subject).distinct().toList();
    List<String> keys =
        subjects.stream().map(subject -> KeyRules.key(policy, subject, LIMIT)).toList();
    List<String> values = server.getAll(keys);
    Map<String, Long> charges = new HashMap<>();
    for (int i = 0; i < subjects.size(); i++) {
      charges.put(subjects.get(i), used(values.get(i)));
    }
    return charges;
  }

  /** The charges on one subject. */
  static long ofOne(String policy, String subject, DirectCommands server) {
    return used(server.getAll(List.of(KeyRules.key(policy, subject, LIMIT))).get(0));
  }

  private static long used(@Nullable String state) {
    return state == null ? 0 : Long.parseLong(state.substring(state.indexOf(':') + 1));
  }
}
