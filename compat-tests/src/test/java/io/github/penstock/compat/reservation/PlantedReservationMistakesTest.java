package io.github.penstock.compat.reservation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.scripts.LuaScript;
import io.github.penstock.scripts.ReservationScript;
import io.github.penstock.testkit.resp.RespConnection;
import io.github.penstock.testkit.server.TestServers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Deliberate mistakes in copies of the scripts: vectors of the rule that each breaks find it. */
@Tag("mistakes")
class PlantedReservationMistakesTest {
  private static final String HOLD = "hold(account, until_us, cost)";
  private static final String CHARGE_NOW =
      "for number = 1, #account.limits do charge(account.limits[number], cost, now_us) end";

  /** A mistake, and the rule that it breaks. */
  enum Mistake {
    LATE_REFUND("R4", HOLD, HOLD + " " + CHARGE_NOW + " account.held = account.held - cost"),
    RAN_OUT_WHEN_SEEN("R5", "amount, until_us)", "amount, now_us)"),
    REPEAT_CHARGES("R2", "made_until_us and 1 or 0, turn_us", "0, turn_us"),
    END_OF_ONE_KEY(
        "R5",
        HOLD,
        "hold(account, until_us - from_us + math.max(now_us, account.latest_us), cost)"),
    DEBT_FORGIVEN(
        "R12",
        "place = place + size",
        "place = place + size if tier.full then tier.used = math.min(tier.used, tier.full) end"),
    RECEIPT_ON_DENIAL(
        "R2",
        "reply[1], reply[2], reply[3] = 0,",
        "call('SET', keys[#keys], cmsgpack.pack(until_us, keep_us, 0, 0, {}, keys, arguments)) reply[1], reply[2], reply[3] = 0,"),
    RELEASES_OF_OTHERS(
        "R4",
        "account.holds = stored and account.state[1] == holds[4 * entry - 1]",
        "account.holds = stored"),
    HELD_WITHOUT_ROOM(
        "R9", "account.held + account.rest > left_of(account.limits[number], now_us)", "false"),
    RECEIPT_STAYS("R12", "if receipt then\n    call(\"DEL\", keys[#keys])", "if false then"),
    WAITS_FOR_THE_STEP("R12", "math.min(turn_at_us - now_us, backlog_us)", "turn_at_us - now_us"),
    FRACTIONS("R13", "fraction == 0 and", ""),
    OPEN_WITHOUT_USE("R13", "is_right = is_right and end_us == 0", "is_right = is_right"),
    ANY_FIRST_WRITE("R13", "and first_us % 1 == 0", ""),
    CHARGES_ALTHOUGH_DENIED("R1", "longest_us == 0 and not peeks", "not peeks"),
    IGNORES_HELD("R3", "cost > 0 and account.held + cost", "cost > 0 and cost"),
    WAITS_TOO_LITTLE("R11", "cost, now_us) - now_us", "cost, now_us) - now_us - 1"),
    PEEK_WRITES("R7", "does or longest_us > 0 and account.moved", "does or account.moved"),
    DIES_TOO_SOON("R10", "+ 1000 + has_now", "+ has_now");

    private final String rule;
    private final String from;
    private final String to;

    Mistake(String rule, String from, String to) {
      this.rule = rule;
      this.from = from;
      this.to = to;
    }

    String in(String source) {
      return source.replace(from, to);
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("a deliberate mistake is found by a vector of the rule that it breaks")
  void isFound(Mistake mistake) {
    try (RespConnection server = TestServers.all().get(0).connect()) {
      assertThat(ReservationScript.values())
          .anyMatch(script -> !mistake.in(script.readableSource()).equals(script.readableSource()));
      Set<String> broken = new TreeSet<>();
      for (ReservationVectors.Sequence sequence : ReservationVectors.all()) {
        ReservationRunner runner =
            new ReservationRunner(
                server, (script, keys, arguments) -> command(mistake, script, keys, arguments));
        if (runner.play(sequence.steps()) != null) {
          broken.addAll(sequence.rules());
        }
      }
      assertThat(broken).contains(mistake.rule);
    }
  }

  private static String[] command(
      Mistake mistake, String script, List<String> keys, List<String> arguments) {
    List<String> command =
        new ArrayList<>(List.of("EVAL", mistake.in(source(script)), "" + keys.size()));
    command.addAll(keys);
    command.addAll(arguments);
    return command.toArray(String[]::new);
  }

  private static String source(String name) {
    for (ReservationScript script : ReservationScript.values()) {
      if (script.scriptName().equals(name)) {
        return script.readableSource();
      }
    }
    return LuaScript.valueOf(name.replace('-', '_').toUpperCase(Locale.ROOT)).readableSource();
  }
}
