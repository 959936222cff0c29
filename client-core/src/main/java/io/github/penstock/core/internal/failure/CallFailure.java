package io.github.penstock.core.internal.failure;

import io.github.penstock.core.FailureKind;
import io.github.penstock.core.MayHaveBeenChargedException;
import io.github.penstock.core.MisconfiguredException;
import io.github.penstock.core.NoDecisionException;
import io.github.penstock.core.OverloadedException;
import io.github.penstock.core.PenstockException;
import io.github.penstock.core.ScriptRefusedException;
import io.github.penstock.core.spi.BusyNodeException;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ServerError;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The classified failure of a call: its meaning, and the exception for its caller.
 *
 * @param call the call
 * @param kind the meaning of the failure
 * @param cause the client's own exception, or one that needs no words of ours
 * @param words the description for the message
 * @param error the server's error that decided the kind, if one did
 * @param lacksConnection whether a connection is all that the call lacked
 * @param repeated whether an earlier attempt of the call had no answer, and may have been charged
 * @param late whether only its time ran out: it was not refused, and no connection was cut
 * @param follows whether another call of its trip counts for the circuit breaker
 */
public record CallFailure(
    ScriptCall call,
    FailureKind kind,
    RuntimeException cause,
    String words,
    @Nullable ServerError error,
    boolean lacksConnection,
    boolean repeated,
    boolean late,
    boolean follows) {
  private static final String MAY_BE_CHARGED = "this call may have been charged: ";

  /** The failure of a call whose answer cannot be read: that says so itself. */
  public static CallFailure unreadable(ScriptCall call, PenstockException unreadable) {
    return new CallFailure(
        call, unreadable.kind(), unreadable, "", null, false, false, false, false);
  }

  /** The failure of a call whose node's circuit is open. */
  public static CallFailure leftAlone(ScriptCall call) {
    String why = "its node did not answer, and its circuit is open for a while";
    RuntimeException cause = new LeftAloneException(why);
    return new CallFailure(
        call, FailureKind.NOT_SENT, cause, why, null, false, false, false, false);
  }

  /**
   * This failure if it is an overload, not an outage.
   *
   * @param sent the cause if the call was sent
   */
  public CallFailure overloaded(BusyNodeException sent) {
    return kind == FailureKind.NOT_ANSWERED
        ? overloaded(sent, String.valueOf(sent.getMessage()))
        : overloaded(cause, words);
  }

  private CallFailure overloaded(RuntimeException why, String message) {
    return new CallFailure(
        call, FailureKind.OVERLOADED, why, message, null, false, repeated, false, false);
  }

  /** This failure if the node refuses connections because of a configuration error. */
  public CallFailure refused(CallFailure refusal) {
    boolean sent = repeated || kind == FailureKind.NOT_ANSWERED;
    return new CallFailure(
        call,
        FailureKind.MISCONFIGURED,
        refusal.cause,
        refusal.words,
        refusal.error,
        false,
        sent,
        false,
        follows);
  }

  /**
   * The failure of a call that was not sent this time: that of the previous attempt, if this one is
   * unknown, or failed only for lack of time and so has no reason.
   */
  public CallFailure after(@Nullable CallFailure before) {
    if (before == null || kind != FailureKind.NOT_SENT) {
      return this;
    }
    boolean late = before.lacksConnection && cause.getCause() instanceof TimeoutException;
    return late || before.kind == FailureKind.UNKNOWN ? before : this;
  }

  /** This failure for a call with an earlier attempt that had no answer. */
  public CallFailure afterLostAnswer() {
    return new CallFailure(call, kind, cause, words, error, lacksConnection, true, late, follows);
  }

  /** This failure for a call whose trip another call counts for. */
  CallFailure ofFollower() {
    return new CallFailure(call, kind, cause, words, error, lacksConnection, repeated, late, true);
  }

  private static final class LeftAloneException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    LeftAloneException(String why) {
      super(why);
    }
  }

  /** Returns whether the call was sent and not answered, whatever the verdict on its node. */
  public boolean isUnanswered() {
    return kind == FailureKind.NOT_ANSWERED || cause instanceof BusyNodeException;
  }

  /** Returns whether the call was sent, and only its time ran out. */
  public boolean isLateAnswer() {
    return late && kind == FailureKind.NOT_ANSWERED;
  }

  /** Returns whether the node did not answer at all: no connection, or the deadline. */
  public boolean silent() {
    boolean transport = kind == FailureKind.NOT_SENT || kind == FailureKind.NOT_ANSWERED;
    return transport && !(cause instanceof LeftAloneException);
  }

  /** Returns whether the server lacks the script, and the call has time to take it there. */
  public boolean mayGoBySource() {
    return error != null && error.isNoScript() && kind != FailureKind.OVERLOADED;
  }

  /** The exception for the caller, whose key is of this policy; null if it is of none. */
  public RuntimeException exception(@Nullable String policy) {
    if (cause instanceof PenstockException known) {
      return known;
    }
    String about = (policy == null ? "" : "policy " + policy + ", ") + "key " + call.keyText();
    return switch (kind) {
      case NOT_SENT, UNAVAILABLE ->
          noDecision(about, "no decision could be made, and nothing was charged");
      case NOT_ANSWERED ->
          call.peeks()
              ? noDecision(about, "no answer came, and a peek charges nothing")
              : new MayHaveBeenChargedException(
                  about
                      + ": no answer shows whether "
                      + call.scriptName()
                      + " ran, so this call may have been charged: "
                      + words,
                  cause);
      case MISCONFIGURED ->
          words.startsWith("penstock ")
              ? new ScriptRefusedException(words + " (" + about + ")", cause)
              : new MisconfiguredException(about + ": " + earlier() + words, cause);
      case OVERLOADED ->
          new OverloadedException(about + ": overloaded, and " + charged() + words, cause);
      case UNKNOWN -> new PenstockException(about + unknown() + words, cause);
    };
  }

  private NoDecisionException noDecision(String about, String what) {
    return new NoDecisionException(kind, about + ": " + what + ": " + words, cause);
  }

  private String charged() {
    return repeated || cause instanceof BusyNodeException && !call.peeks()
        ? MAY_BE_CHARGED
        : "nothing was charged: ";
  }

  private String earlier() {
    return repeated ? MAY_BE_CHARGED : "";
  }

  private String unknown() {
    return !repeated && (call.peeks() || lacksConnection)
        ? ": not understood: "
        : ": not understood, so " + MAY_BE_CHARGED;
  }
}
