package io.github.penstock.spring.internal.request;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a call under the limits that decide it together. Immutable.
 *
 * @param answers the answers of the limits that are enforced; none for a dry run
 * @param held the units that are held until the response is known
 * @param failure the reason for a missing decision; null if there was one
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

  /** The verdict of a policy whose limit could not be determined. */
  public static CallVerdict undecided(PlanLimits limits, Throwable failure) {
    return undecided(limits.strictest(), failure);
  }

  /** The answer that denies; null if the call may proceed. */
  public @Nullable PolicyAnswer denial() {
    return answers.stream().filter(answer -> !answer.allowed()).findFirst().orElse(null);
  }

  /** Throws if the call was denied, or if no decision could be made. */
  public void check() {
    PolicyAnswer denial = denial();
    if (denial != null) {
      throw denial.exception(failure);
    }
  }

  /** This verdict, plus the units that a dry run holds. */
  CallVerdict beside(CallVerdict dry) {
    return new CallVerdict(
        answers, Stream.concat(held.stream(), dry.held.stream()).toList(), failure);
  }
}
