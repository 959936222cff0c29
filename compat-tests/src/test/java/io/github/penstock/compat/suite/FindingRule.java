package io.github.penstock.compat.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectIteration;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedMethod;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectUniqueId;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.github.penstock.compat.failure.FailureRules;
import io.github.penstock.compat.reservation.ReservationRunner;
import io.github.penstock.compat.reservation.ReservationVectors;
import io.github.penstock.compat.suite.CommonRules.EachAlgorithm;
import io.github.penstock.compat.suite.PlantedMistakesTest.MistakenSuite;
import io.github.penstock.compat.suite.RateLimiterCompatibilityTest.OnSingleServer;
import io.github.penstock.compat.vectors.VectorJson;
import io.github.penstock.scripts.LuaScript;
import io.github.penstock.scripts.ReservationScript;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import io.github.penstock.testkit.resp.RespConnection;
import io.github.penstock.testkit.server.TestServers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.platform.commons.support.ReflectionSupport;
import org.junit.platform.engine.DiscoverySelector;

/** The rule that must find a mistake. */
interface FindingRule {
  /** The parameter of the test of other failures. */
  String FAILURE_ROW = "io.github.penstock.compat.failure.FailureRow";

  /** The parameter of the test of the scenarios of {@code failures.json}. */
  String SCENARIO = "io.github.penstock.compat.failure.FailureScenario";

  /** The parameter of the test of events on a server that a client does not see. */
  String OUTSIDE_CHANGE = "io.github.penstock.compat.near.OutsideChange";

  /** Fails unless the rule finds the mistake, which the suite's limiters have at present. */
  void mustFind(PlantedMistake mistake);

  /** A rule of the suite for each algorithm, by its name. */
  static FindingRule of(String test, ScriptAlgorithm... algorithms) {
    return mistake ->
        assertThat(algorithms)
            .allSatisfy(
                algorithm ->
                    assertThat(FailedRules.of(algorithm(algorithm)).tests()).contains(test));
  }

  /** One test. */
  static FindingRule of(Class<?> rules, String method) {
    return of(rules, method, "");
  }

  /** One test, whose failure has a text. */
  static FindingRule of(Class<?> rules, String method, String says) {
    return mistake ->
        assertThat(FailedRules.of(method(rules, method, "")).failures().values())
            .singleElement()
            .satisfies(
                failure ->
                    assertThat(failure)
                        .isInstanceOf(AssertionError.class)
                        .hasMessageContaining(says));
  }

  /** Cases of a test with a parameter of this type, by their names. */
  static FindingRule cases(Class<?> rules, String method, String parameter, String names) {
    return mistake ->
        assertThat(FailedRules.of(method(rules, method, parameter)).tests())
            .contains(names.split(" "));
  }

  /** A row of the other failures, by its name. */
  static FindingRule row(String name) {
    Class<?> row = ReflectionSupport.tryToLoadClass(FAILURE_ROW).toOptional().orElseThrow();
    List<String> names = Stream.of(row.getEnumConstants()).map(String::valueOf).toList();
    return mistake ->
        assertThat(FailedRules.of(failing("rows(" + FAILURE_ROW, names.indexOf(name))).tests())
            .containsExactly(name);
  }

  /** A scenario of {@code failures.json}, by its name. */
  static FindingRule scenario(String name) {
    JsonArray all = VectorJson.read("failures.json", JsonObject.class).getAsJsonArray("scenarios");
    List<String> names =
        all.asList().stream()
            .map(each -> each.getAsJsonObject().get("name").getAsString())
            .toList();
    return mistake ->
        assertThat(FailedRules.of(failing("single(" + SCENARIO, names.indexOf(name))).tests())
            .containsExactly(name);
  }

  /* Jupiter has no selector for an iteration of a nested method. */
  private static DiscoverySelector failing(String method, int index) {
    return selectUniqueId(
        "[engine:junit-jupiter]/[class:%s]/[nested-class:Failing]/[test-template:%s#%s)]/[test-template-invocation:#%d]"
            .formatted(
                MistakenSuite.class.getName(), FailureRules.class.getName(), method, 1 + index));
  }

  /** Tests of a class of rules, by their names. */
  static FindingRule all(Class<?> rules, String names) {
    return mistake -> assertThat(FailedRules.of(rules(rules)).tests()).contains(names.split(" "));
  }

  /** Vectors of reservations that show this rule of the protocol. */
  static FindingRule vectors(String rule) {
    return mistake -> {
      Map<String, String> scripts = new HashMap<>();
      Stream.of(LuaScript.values())
          .forEach(each -> scripts.put(each.scriptName(), mistake.in(each.readableSource())));
      Stream.of(ReservationScript.values())
          .forEach(each -> scripts.put(each.scriptName(), mistake.in(each.readableSource())));
      try (RespConnection server = TestServers.all().get(0).connect()) {
        ReservationRunner runner =
            new ReservationRunner(
                server,
                (script, keys, arguments) -> {
                  List<String> command =
                      new ArrayList<>(List.of("EVAL", scripts.get(script), "" + keys.size()));
                  command.addAll(keys);
                  command.addAll(arguments);
                  return command.toArray(String[]::new);
                });
        Set<String> broken = new TreeSet<>();
        for (ReservationVectors.Sequence sequence : ReservationVectors.all()) {
          if (runner.play(sequence.steps()) != null) {
            broken.addAll(sequence.rules());
          }
        }
        assertThat(broken).contains(rule);
      }
    };
  }

  /** The whole suite for one algorithm. */
  static DiscoverySelector algorithm(ScriptAlgorithm algorithm) {
    return selectIteration(
        selectNestedClass(List.of(MistakenSuite.class, OnSingleServer.class), EachAlgorithm.class),
        algorithm.ordinal());
  }

  /** All tests of a class of rules. */
  static DiscoverySelector rules(Class<?> rules) {
    return selectNestedClass(List.of(MistakenSuite.class), rules);
  }

  /** One test with a parameter of this type, or without any. */
  static DiscoverySelector method(Class<?> rules, String method, String parameter) {
    return selectNestedMethod(List.of(MistakenSuite.class), rules, method, parameter);
  }
}
