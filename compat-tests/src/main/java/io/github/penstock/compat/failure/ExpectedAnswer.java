package io.github.penstock.compat.failure;

import io.github.penstock.compat.load.LoadCall;
import io.github.penstock.core.Decision;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.FailureKind;
import io.github.penstock.core.MisconfiguredException;
import io.github.penstock.core.NoDecisionException;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.PenstockException;
import java.time.Duration;

/** The expected end of calls. */
enum ExpectedAnswer {
  /** A configuration error: always thrown. */
  THROWN {
    @Override
    boolean fits(LoadCall call, OnUnavailable choice) {
      return call.failure() instanceof MisconfiguredException;
    }
  },

  /** Not to be told from an outage: as was chosen. */
  OUTAGE {
    @Override
    boolean fits(LoadCall call, OnUnavailable choice) {
      return choice == OnUnavailable.THROW
          ? call.failure() instanceof NoDecisionException
          : isDecided(call, DecisionSource.UNAVAILABLE, choice == OnUnavailable.ALLOW);
    }
  },

  /** An outage in which no peer could receive a call: none may have been charged. */
  NOT_SENT {
    @Override
    boolean fits(LoadCall call, OnUnavailable choice) {
      return OUTAGE.fits(call, choice) && !call.mayHaveBeenCharged();
    }
  },

  /** Set up wrong, not understood, or not to be told from an outage: it depends on a few bytes. */
  THROWN_OR_OUTAGE {
    @Override
    boolean fits(LoadCall call, OnUnavailable choice) {
      return NO_OUTAGE.fits(call, choice) || OUTAGE.fits(call, choice);
    }
  },

  /** Not understood, or set up wrong if that shows before a call is sent: thrown. */
  NO_OUTAGE {
    @Override
    boolean fits(LoadCall call, OnUnavailable choice) {
      return call.failure() instanceof PenstockException known && !known.kind().outage();
    }
  },

  /** A bound is full: denied, regardless of the choice for an outage. */
  OVERLOADED {
    @Override
    boolean fits(LoadCall call, OnUnavailable choice) {
      return isDecided(call, DecisionSource.OVERLOADED, false);
    }
  };

  /* If the right answer comes at once, so that a stalled machine does not count as an outage. */
  private static final Duration PATIENT = Duration.ofSeconds(30);

  private static final Duration SHORT = Duration.ofMillis(500);

  abstract boolean fits(LoadCall call, OnUnavailable choice);

  /** Returns how long a call may take: a stall may look like an outage only where one is made. */
  Duration deadline() {
    return mayBeOutage() ? SHORT : PATIENT;
  }

  /** Returns whether a process that starts learns of it only by its first attempt to connect. */
  boolean mayBeOutage() {
    return this == OUTAGE || this == NOT_SENT || this == THROWN_OR_OUTAGE;
  }

  /** Returns whether waiting for the first connection must throw this. */
  boolean fitsStart(Throwable thrown) {
    return thrown instanceof PenstockException known
        && switch (this) {
          case THROWN -> known.kind() == FailureKind.MISCONFIGURED;
          case NOT_SENT -> known.kind() == FailureKind.NOT_SENT;
          case OUTAGE -> known.kind().outage();
          case NO_OUTAGE -> !known.kind().outage();
          default -> known.kind() != FailureKind.OVERLOADED;
        };
  }

  private static boolean isDecided(LoadCall call, DecisionSource source, boolean allowed) {
    Decision decision = call.decision();
    return decision != null && decision.source() == source && decision.allowed() == allowed;
  }
}
