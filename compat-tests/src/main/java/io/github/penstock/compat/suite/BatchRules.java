package io.github.penstock.compat.suite;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.penstock.compat.load.AsyncResults;
import io.github.penstock.compat.load.ChargeCount;
import io.github.penstock.compat.load.LoadTest;
import io.github.penstock.compat.script.LimitSetting;
import io.github.penstock.compat.script.SubjectKey;
import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.AsyncRateLimiters;
import io.github.penstock.core.Outcome;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.ScriptRefusedException;
import io.github.penstock.core.SubjectCost;
import io.github.penstock.core.Usage;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Calls for many subjects at once, which on a cluster go to different nodes. */
abstract class BatchRules extends SuiteRules {
  private static final Limit LIMIT = LimitSetting.lasting(ScriptAlgorithm.TOKEN_BUCKET, 5);
  private static final int MOST = 10_000;

  private final String policy = AdapterTrial.unique();

  /** The batch in each style that the adapter has. */
  private List<Function<List<String>, List<Outcome>>> styles() {
    return styles(LIMIT);
  }

  private List<Function<List<String>, List<Outcome>>> styles(Limit limit) {
    Function<List<String>, List<Outcome>> blocking =
        trial().limiters().limiter(policy, limit)::tryAcquireAll;
    if (!(trial().limiters() instanceof AsyncRateLimiters)) {
      return List.of(blocking);
    }
    return List.of(
        blocking,
        subjects ->
            AsyncResults.value(
                trial().async().asyncLimiter(policy, limit).tryAcquireAll(subjects)));
  }

  /** The same with a cost for each call. */
  private List<Function<List<SubjectCost>, List<Outcome>>> costStyles() {
    Function<List<SubjectCost>, List<Outcome>> blocking =
        trial().limiters().limiter(policy, LIMIT)::tryAcquireEach;
    if (!(trial().limiters() instanceof AsyncRateLimiters)) {
      return List.of(blocking);
    }
    AsyncRateLimiter limiter = trial().async().asyncLimiter(policy, LIMIT);
    return List.of(blocking, calls -> AsyncResults.value(limiter.tryAcquireEach(calls)));
  }

  private static List<String> subjects(int count) {
    String unique = AdapterTrial.unique();
    return IntStream.range(0, count)
        .mapToObj(i -> unique + "-" + i)
        .collect(toCollection(ArrayList::new));
  }

  private long used(String subject) {
    RateLimiter limiter = trial().limiters().limiter(policy, LIMIT);
    return 5 - limiter.peek(subject).remaining();
  }

  @Test
  @DisplayName("outcomes come in the order of the subjects")
  void order() {
    for (var batch : styles()) {
      List<String> subjects = subjects(300);
      List<Outcome> outcomes = batch.apply(subjects);
      assertThat(outcomes).extracting(Outcome::subject).isEqualTo(subjects);
      assertThat(outcomes)
          .allSatisfy(outcome -> assertThat(outcome.decision().remaining()).isEqualTo(4));
    }
  }

  @Test
  @DisplayName("P7 a subject that is named several times is charged each time, up to its limit")
  void sameSubject() {
    for (var batch : styles()) {
      String one = AdapterTrial.unique();
      List<Outcome> outcomes = batch.apply(List.of(one, one, one, one, one, one, one));
      assertThat(outcomes.stream().filter(outcome -> outcome.decision().allowed())).hasSize(5);
    }
  }

  @Test
  @DisplayName("P7 a batch takes a cost for each subject, and one that is named twice pays twice")
  void costEach() {
    costStyles().forEach(this::costEach);
  }

  private void costEach(Function<List<SubjectCost>, List<Outcome>> batch) {
    List<String> names = subjects(2);
    SubjectCost two = new SubjectCost(names.get(0), 2);
    SubjectCost five = new SubjectCost(names.get(1), 5);
    SubjectCost three = new SubjectCost(names.get(0), 3);
    List<Outcome> outcomes = batch.apply(List.of(two, new SubjectCost("", 1), five, three));
    assertThat(outcomes)
        .extracting(Outcome::subject)
        .containsExactly(names.get(0), "", names.get(1), names.get(0));
    assertThat(outcomes.get(1)).isInstanceOf(Outcome.Failed.class);
    for (int paid : List.of(0, 2, 3)) {
      assertThat(outcomes.get(paid).decision().allowed()).as("call %d", paid).isTrue();
    }
    assertThat(names).allSatisfy(name -> assertThat(used(name)).isEqualTo(5));
    assertThat(batch.apply(List.of(two)).get(0).decision().allowed()).isFalse();
  }

  @Test
  @DisplayName("a call that fails does not spoil its neighbours")
  void neighbours() {
    for (var batch : styles()) {
      List<String> subjects = subjects(20);
      String foreign = SubjectKey.of(policy, subjects.get(7), LIMIT);
      String counter = SubjectKey.of(policy, subjects.get(9), LIMIT);
      trial().server().call("RPUSH", foreign, "element");
      trial().server().call("SET", counter, "17", "EX", "60");
      subjects.set(12, "");
      subjects.set(13, "\ud83d");
      List<Outcome> outcomes = batch.apply(subjects);
      for (int i = 0; i < outcomes.size(); i++) {
        assertThat(outcomes.get(i) instanceof Outcome.Failed)
            .as("call %d failed", i)
            .isEqualTo(List.of(7, 9, 12, 13).contains(i));
      }
      assertThat(failure(outcomes, 7)).hasStackTraceContaining("WRONGTYPE");
      assertThat(failure(outcomes, 9))
          .isInstanceOf(ScriptRefusedException.class)
          .hasMessageStartingWith("penstock token-bucket: state must");
      assertThat(failure(outcomes, 12)).isInstanceOf(IllegalArgumentException.class);
      assertThat(failure(outcomes, 13)).isInstanceOf(IllegalArgumentException.class);
      trial().server().call("DEL", foreign);
    }
  }

  private static @Nullable Throwable failure(List<Outcome> outcomes, int call) {
    return outcomes.get(call).failure();
  }

  @LoadTest
  @Test
  @DisplayName("P7 of the largest batch every call is charged once")
  void largest() {
    for (var batch : styles(ChargeCount.LIMIT)) {
      String one = AdapterTrial.unique();
      assertThat(batch.apply(Collections.nCopies(MOST, one)))
          .hasSize(MOST)
          .allMatch(outcome -> outcome.decision().allowed());
      Usage usage = trial().limiters().limiter(policy, ChargeCount.LIMIT).peek(one);
      assertThat(usage.limit() - usage.remaining()).isEqualTo(MOST);
    }
  }

  @Test
  @DisplayName("of a batch of more than 10,000 calls none is sent")
  void tooLarge() {
    String one = AdapterTrial.unique();
    for (var batch : styles()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> batch.apply(Collections.nCopies(MOST + 1, one)))
          .withMessage("subjects: a batch has at most 10,000 calls, not 10,001");
    }
    for (var batch : costStyles()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> batch.apply(Collections.nCopies(MOST + 1, new SubjectCost(one, 1))))
          .withMessage("calls: a batch has at most 10,000 calls, not 10,001");
    }
    assertThat(used(one)).isZero();
  }

  @Test
  @DisplayName("a batch of nothing is nothing")
  void empty() {
    for (var batch : styles()) {
      assertThat(batch.apply(List.of())).isEmpty();
    }
  }
}
