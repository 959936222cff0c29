package io.github.penstock.compat.failure;

import com.google.gson.annotations.SerializedName;
import io.github.penstock.compat.vectors.VectorJson;
import io.github.penstock.core.FailureKind;
import io.github.penstock.core.OnOverload;
import io.github.penstock.core.OnUnavailable;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A scenario of {@code failures.json}, whose {@code about} explains each field. */
record FailureScenario(
    String name,
    ScenarioClient client,
    @SerializedName("new") boolean fresh,
    boolean asked,
    List<@Nullable String> bed,
    List<List<String>> commands,
    List<List<String>> undo,
    List<String> beforeEach,
    String policy,
    String subject,
    List<String> calls,
    long deadlineMs,
    @SerializedName("is") List<String> ends,
    @Nullable Boolean maybeCharged,
    List<Long> ran,
    boolean stays,
    boolean cluster) {
  private static final ScenarioFile ALL = VectorJson.read("failures.json", ScenarioFile.class);

  /** The client of a scenario. */
  record ScenarioClient(
      String at, @Nullable String user, @Nullable String password, int database) {}

  private record ScenarioFile(List<FileChoice> choices, List<FailureScenario> scenarios) {}

  private record FileChoice(String onUnavailable, String onOverload) {}

  /** Sets what a scenario leaves out. */
  FailureScenario {
    bed = bed == null ? Arrays.asList(null, null) : bed;
    commands = commands == null ? List.of() : commands;
    undo = undo == null ? List.of() : undo;
    beforeEach = beforeEach == null ? List.of() : beforeEach;
    policy = policy == null ? "api" : policy;
    subject = subject == null ? FailureCheck.WORDS : subject;
    calls = calls == null ? List.of("acquire") : calls;
    deadlineMs = deadlineMs == 0 ? 20_000 : deadlineMs;
    ran = ran == null ? List.of() : ran;
  }

  /** The scenarios of the file. */
  static List<FailureScenario> all() {
    return ALL.scenarios;
  }

  /** The choices with which each is played. */
  static List<ScenarioChoice> choices() {
    return ALL.choices.stream()
        .map(
            each ->
                new ScenarioChoice(
                    OnUnavailable.valueOf(each.onUnavailable), OnOverload.valueOf(each.onOverload)))
        .toList();
  }

  /** Returns whether the client is made when the fault is there. */
  boolean isNew() {
    return fresh || client.user != null || client.database > 0;
  }

  /** The end of its calls. */
  ExpectedAnswer answer() {
    List<FailureKind> kinds =
        ends.stream()
            .filter(end -> !end.equals("decided"))
            .map(end -> FailureKind.valueOf(end.toUpperCase(Locale.ROOT)))
            .toList();
    return new ExpectedAnswer(kinds, maybeCharged, Duration.ofMillis(deadlineMs));
  }

  @Override
  public String toString() {
    return name;
  }
}
