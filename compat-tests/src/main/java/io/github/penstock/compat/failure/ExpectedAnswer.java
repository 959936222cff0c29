package io.github.penstock.compat.failure;

import io.github.penstock.compat.load.LoadCall;
import io.github.penstock.core.Decision;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.FailureKind;
import io.github.penstock.core.MayHaveBeenChargedException;
import io.github.penstock.core.MisconfiguredException;
import io.github.penstock.core.NoDecisionException;
import io.github.penstock.core.OverloadedException;
import io.github.penstock.core.PenstockException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The expected end of calls.
 *
 * @param kinds of failures, of which each may have one; none if the server decides
 * @param maybeCharged whether a failure says that the call may have been charged; null if exactly
 *     those do that are not answered, and those that are no outage may
 * @param deadline how long a call may take
 */
record ExpectedAnswer(List<FailureKind> kinds, @Nullable Boolean maybeCharged, Duration deadline) {
  /* If the right answer comes at once, so that a stalled machine does not count as an outage. */
  private static final Duration PATIENT = Duration.ofSeconds(30);

  /* Event loops that need half of a deadline to read count as too busy, which is no outage. */
  private static final Duration SHORT = Duration.ofSeconds(2);

  /** A configuration error: always thrown. */
  static final ExpectedAnswer THROWN = of(PATIENT, FailureKind.MISCONFIGURED);

  /** Not to be told from an outage: as was chosen. */
  static final ExpectedAnswer OUTAGE =
      of(SHORT, FailureKind.NOT_SENT, FailureKind.NOT_ANSWERED, FailureKind.UNAVAILABLE);

  /** An outage in which no peer could receive a call: none may have been charged. */
  static final ExpectedAnswer NOT_SENT = of(SHORT, FailureKind.NOT_SENT);

  /** Set up wrong, not understood, or not to be told from an outage: it depends on a few bytes. */
  static final ExpectedAnswer THROWN_OR_OUTAGE =
      of(
          SHORT,
          FailureKind.MISCONFIGURED,
          FailureKind.UNKNOWN,
          FailureKind.NOT_SENT,
          FailureKind.NOT_ANSWERED);

  /** Not understood, or set up wrong if that shows before a call is sent: thrown. */
  static final ExpectedAnswer NO_OUTAGE =
      of(PATIENT, FailureKind.MISCONFIGURED, FailureKind.UNKNOWN);

  /** A bound is full, regardless of the choice for an outage. */
  static final ExpectedAnswer OVERLOADED = of(PATIENT, FailureKind.OVERLOADED);

  /** Lengthens a deadline that a busy machine may not keep. */
  ExpectedAnswer {
    deadline = deadline.compareTo(SHORT) < 0 ? SHORT : deadline;
  }

  private static ExpectedAnswer of(Duration deadline, FailureKind... kinds) {
    return new ExpectedAnswer(List.of(kinds), null, deadline);
  }

  /** The end where failures may be of another kind, too. */
  ExpectedAnswer or(FailureKind other) {
    List<FailureKind> more = Stream.concat(kinds.stream(), Stream.of(other)).toList();
    return new ExpectedAnswer(more, other.outage() ? null : maybeCharged, deadline);
  }

  /** Returns whether a process that starts learns of it only by its first attempt to connect. */
  boolean mayBeOutage() {
    return kinds.stream().anyMatch(FailureKind::outage);
  }

  /** Returns whether a call under this choice ended so. */
  boolean fits(LoadCall call, ScenarioChoice choice) {
    if (call.failure() instanceof PenstockException known) {
      FailureKind kind = known.kind();
      return isOfKind(known)
          && known instanceof NoDecisionException == kind.outage()
          && known instanceof OverloadedException == (kind == FailureKind.OVERLOADED)
          && known instanceof MisconfiguredException == (kind == FailureKind.MISCONFIGURED)
          && choice.of(kind).equals("THROW");
    }
    Decision decision = call.decision();
    if (decision == null || decision.enforced()) {
      return decision != null && kinds.isEmpty();
    }
    return kinds.stream().anyMatch(kind -> isChosen(decision, kind, choice));
  }

  /** Returns whether a failure is of one of the kinds. */
  boolean isOfKind(Throwable failure) {
    return failure instanceof PenstockException known && kinds.contains(known.kind());
  }

  private boolean isChosen(Decision decision, FailureKind kind, ScenarioChoice choice) {
    DecisionSource source = kind.outage() ? DecisionSource.UNAVAILABLE : DecisionSource.OVERLOADED;
    return decision.source() == source
        && choice.of(kind).equals(decision.allowed() ? "ALLOW" : "DENY")
        && decision.remaining() == 0
        && decision.resetMicros() == 0
        && decision.tier() == 1
        && decision.waitMicros() > 0 != decision.allowed()
        && decision.waitMicros() <= deadline.toNanos() / 1_000;
  }

  /** Returns whether the failure of a call for units, if it failed, tells what it may have cost. */
  boolean tellsCharge(LoadCall call) {
    if (!(call.failure() instanceof PenstockException known)) {
      return true;
    }
    boolean says = String.valueOf(known.getMessage()).contains("may have been charged");
    boolean outage = known.kind().outage();
    boolean must = outage ? known.kind() == FailureKind.NOT_ANSWERED : says;
    return says == (maybeCharged == null ? must : maybeCharged)
        && known instanceof MayHaveBeenChargedException == (says && outage);
  }
}
