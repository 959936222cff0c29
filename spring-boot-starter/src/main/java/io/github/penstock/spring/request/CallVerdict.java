package io.github.penstock.spring.request;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a call came to under the limits that decide it together. Immutable.
 *
 * @param answers of the limits that are enforced; none of a dry run
 * @param held what is held until the response is known
 * @param failure why there was no decision; null if there was one
 */
public record CallVerdict(
    List<PolicyAnswer> answers, List<HeldUnits> held, @Nullable Throwable failure) {
  static final CallVerdict NONE = new CallVerdict(List.of(), List.of(), null);

  static CallVerdict of(PolicyAnswer answer) {
    return new CallVerdict(List.of(answer), List.of(), null);
  }

  /** The verdict where no limit could decide: a denial. */
  static CallVerdict undecided(PlanLimit limit, Throwable failure) {
    return new CallVerdict(List.of(PolicyAnswer.undecided(limit, failure)), List.of(), failure);
  }

  /** The same of a policy whose limit could not be told. */
  public static CallVerdict undecided(PlanLimits limits, Throwable failure) {
    return undecided(limits.strictest(), failure);
  }

  /** The answer that denies; null if the call may go on. */
  public @Nullable PolicyAnswer denial() {
    return answers.stream().filter(answer -> !answer.allowed()).findFirst().orElse(null);
  }

  /** This verdict, and what a dry run holds. */
  CallVerdict beside(CallVerdict dry) {
    return new CallVerdict(
        answers, Stream.concat(held.stream(), dry.held.stream()).toList(), failure);
  }
}
