package io.github.penstock.compat;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.testkit.model.ScriptAlgorithm;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Counts the commands that one call makes the server do, by the server's own statistics. */
@ParameterizedClass(name = "{0}, {1}")
@MethodSource("io.github.penstock.compat.ScriptRoute#withScripts")
class ServerCommandsTest {
  private static final Pattern CALLS = Pattern.compile("cmdstat_([a-z|]+):calls=(\\d+)");
  private static final String NOW = "1700000000000000";

  private final String key = "penstock-commands:{" + UUID.randomUUID() + "}";
  private final ScriptRoute route;
  private final ScriptAlgorithm script;

  ServerCommandsTest(ScriptRoute route, ScriptAlgorithm script) {
    this.route = route;
    this.script = script;
  }

  @AfterEach
  void remove() {
    route.connection().call("DEL", key);
  }

  @Test
  @DisplayName("P8 an allowed call asks the time, reads and writes once each")
  void allowed() {
    assertThat(commandsOf("1")).isEqualTo(Map.of("time", 1L, "get", 1L, "set", 1L));
    assertThat(commandsOf("1")).isEqualTo(Map.of("time", 1L, "get", 1L, "set", 1L));
  }

  @Test
  @DisplayName("P8 with the caller's time the server's is not asked")
  void callersTime() {
    assertThat(commandsOf("1", NOW)).isEqualTo(Map.of("get", 1L, "set", 1L));
  }

  @Test
  @DisplayName("P2 P8 a peek and a denied call write nothing")
  void peekAndDenied() {
    assertThat(commandsOf("0")).isEqualTo(Map.of("time", 1L, "get", 1L));
    assertThat(commandsOf("11")).isEqualTo(Map.of("time", 1L, "get", 1L));
    commandsOf("10");
    assertThat(commandsOf("0")).isEqualTo(Map.of("time", 1L, "get", 1L));
    assertThat(commandsOf("10")).isEqualTo(Map.of("time", 1L, "get", 1L));
    assertThat(commandsOf("11")).isEqualTo(Map.of("time", 1L, "get", 1L));
  }

  @Test
  @DisplayName("P8 several calls at once ask the time, read and write once each, whether all fit")
  void severalCalls() {
    assertThat(commandsOf("2*3")).isEqualTo(Map.of("time", 1L, "get", 1L, "set", 1L));
    assertThat(commandsOf("2*3")).isEqualTo(Map.of("time", 1L, "get", 1L, "set", 1L));
    assertThat(commandsOf("2*3")).isEqualTo(Map.of("time", 1L, "get", 1L));
  }

  @Test
  @DisplayName("P8 P10 a refund of everything deletes, and on no key writes nothing")
  void refund() {
    assertThat(commandsOf("-1")).isEqualTo(Map.of("time", 1L, "get", 1L));
    commandsOf("3");
    assertThat(commandsOf("-1")).isEqualTo(Map.of("time", 1L, "get", 1L, "set", 1L));
    assertThat(commandsOf("-9")).isEqualTo(Map.of("time", 1L, "get", 1L, "del", 1L));
  }

  @Test
  @DisplayName("P8 P9 a denied call that cuts what lies too far ahead writes once")
  void cut() {
    commandsOf("10", NOW);
    assertThat(commandsOf("0", "1600000000000000")).isEqualTo(Map.of("get", 1L));
    assertThat(commandsOf("10", "1600000000000000")).isEqualTo(Map.of("get", 1L, "set", 1L));
  }

  @Test
  @DisplayName("P6 a wrong argument makes the server write nothing")
  void wrongArgument() {
    assertThat(commandsOf("nan")).doesNotContainKeys("set", "del");
    assertThat(commandsOf("1", "17")).doesNotContainKeys("set", "del");
  }

  private Map<String, Long> commandsOf(String cost, String... now) {
    List<String> arguments = new ArrayList<>(List.of(cost));
    script.tier(10, 3_600_000_000L).forEach(number -> arguments.add(Long.toString(number)));
    arguments.addAll(List.of(now));
    Map<String, Long> before = statistics();
    route.port().call(script.scriptName(), List.of(key), arguments);
    Map<String, Long> after = statistics();
    before.forEach((name, calls) -> after.merge(name, -calls, Long::sum));
    after.keySet().removeAll(List.of("info", "evalsha", "fcall"));
    after.values().removeIf(calls -> calls == 0);
    return after;
  }

  private Map<String, Long> statistics() {
    Matcher matcher =
        CALLS.matcher(String.valueOf(route.connection().call("INFO", "commandstats")));
    Map<String, Long> calls = new TreeMap<>();
    while (matcher.find()) {
      calls.put(matcher.group(1), Long.valueOf(matcher.group(2)));
    }
    return calls;
  }
}
