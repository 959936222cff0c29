package io.github.penstock.compat.load;

import io.github.penstock.compat.script.SubjectKey;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.testkit.topology.DirectCommands;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The number of charges of a load's calls, according to the server. */
public final class ChargeCount {
  /** A limit that is never reached, and whose state is a count of charges. */
  public static final Limit LIMIT = FixedWindow.of(1_000_000_000, Duration.ofDays(1));

  private ChargeCount() {}

  /** The charges on the subject of each call; the keys are those of {@link SubjectKey}. */
  public static Map<String, Long> of(List<LoadCall> calls, String policy, DirectCommands server) {
    List<String> subjects = calls.stream().map(LoadCall::subject).distinct().toList();
    List<String> keys =
        subjects.stream().map(subject -> SubjectKey.of(policy, subject, LIMIT)).toList();
    List<String> values = server.getAll(keys);
    Map<String, Long> charges = new HashMap<>();
    for (int i = 0; i < subjects.size(); i++) {
      charges.put(subjects.get(i), used(values.get(i)));
    }
    return charges;
  }

  /** The charges on one subject. */
  public static long ofOne(String policy, String subject, DirectCommands server) {
    return at(SubjectKey.of(policy, subject, LIMIT), server);
  }

  /** The charges on one key of a fixed window. */
  public static long at(String key, DirectCommands server) {
    return used(server.getAll(List.of(key)).get(0));
  }

  private static long used(@Nullable String state) {
    return state == null ? 0 : Long.parseLong(state.substring(state.indexOf(':') + 1));
  }
}
