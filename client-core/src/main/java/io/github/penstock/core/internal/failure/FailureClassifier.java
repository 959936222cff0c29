package io.github.penstock.core.internal.failure;

import io.github.penstock.core.FailureKind;
import io.github.penstock.core.MisconfiguredException;
import io.github.penstock.core.PenstockException;
import io.github.penstock.core.internal.node.CheckedNode.CheckMeanings;
import io.github.penstock.core.internal.node.LateVerdict;
import io.github.penstock.core.spi.NotSentException;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptCall.Verb;
import io.github.penstock.core.spi.ServerError;
import io.github.penstock.core.spi.TransportFailure;
import io.github.penstock.core.spi.connecting.ConnectingException;
import io.github.penstock.core.spi.connecting.KnownPasswords;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Classifies the failures of one transport, from all of their causes: the one place that does. The
 * strongest of their meanings counts. Passwords are hidden here, too. Safe for use by several
 * threads.
 *
 * @param transport classifies one of its exceptions
 * @param followsRedirects whether it follows MOVED and ASK
 * @param nodes the earlier answers of the nodes
 * @param passwords texts that exceptions must not contain
 */
public record FailureClassifier(
    Function<Throwable, @Nullable TransportFailure> transport,
    BooleanSupplier followsRedirects,
    NodeWatch nodes,
    KnownPasswords passwords)
    implements CheckMeanings {
  private static final Set<Verb> BY_SOURCE = EnumSet.of(Verb.EVAL, Verb.EVAL_RO);

  /** From the weakest to the strongest. */
  private static final List<FailureKind> STRENGTH =
      List.of(
          FailureKind.UNKNOWN,
          FailureKind.NOT_ANSWERED,
          FailureKind.NOT_SENT,
          FailureKind.UNAVAILABLE,
          FailureKind.OVERLOADED,
          FailureKind.MISCONFIGURED);

  /**
   * What an exception means.
   *
   * @param telling itself, or the cause that decided the kind
   * @param error the server's error, if it is one
   * @param answered whether data arrived, readable or not RESP
   * @param mistake whether the client wraps a failure other than a lost connection
   */
  private record Meaning(
      FailureKind kind,
      Throwable telling,
      @Nullable ServerError error,
      boolean answered,
      boolean mistake) {
    Meaning(FailureKind kind, Throwable telling) {
      this(kind, telling, null, false, false);
    }

    /* An unknown failure is not an outage, even if it prevented the call from leaving. */
    int strength() {
      boolean known = kind != FailureKind.UNKNOWN || !answered && !mistake;
      return STRENGTH.indexOf(known ? kind : FailureKind.UNAVAILABLE);
    }

    boolean isNoResp() {
      return answered && error == null;
    }
  }

  public CallFailure of(RuntimeException thrown, ScriptCall call) {
    if (thrown instanceof SharedTripException shared) {
      return of(shared.failure(), call).ofFollower();
    }
    Throwable top = TransportFailure.unwrapped(thrown);
    Meaning meaning = meaningOfAll(top);
    ServerError error = meaning.error;
    FailureKind kind = meaning.kind;
    if (kind == FailureKind.UNAVAILABLE
        && error != null
        && error.isReadOnly()
        && nodes.isReplica(call)) {
      kind = FailureKind.MISCONFIGURED;
    }
    ServerError refusal = kind.outage() ? nodes.refusal(call) : null;
    boolean silent = kind == FailureKind.NOT_ANSWERED;
    if (refusal != null || kind.outage() && nodes.wasReplica(call)) {
      kind = FailureKind.MISCONFIGURED;
    }
    if (error != null && error.isNoScript()) {
      kind = ofNoScript(kind, call);
    }
    nodes.failed(call, error);
    boolean lacking =
        top instanceof NotSentException notSent
            && notSent.isNotConnected()
            && kind != FailureKind.MISCONFIGURED;
    RuntimeException cause = cause(top);
    String words = FailureWords.of(call, kind, cause, meaning.telling, error);
    if (meaning.isNoResp()) {
      words = FailureWords.noResp(words);
    }
    if (refusal != null) {
      words = refusal.text() + (silent ? "; the call may have been charged: " : "; ") + words;
    }
    boolean late = kind.outage() && error == null && TransportFailure.isLate(top);
    return new CallFailure(
        call, kind, masked(cause), passwords.hiddenIn(words), error, lacking, false, late, false);
  }

  /* A server that lacks the script answers: without time to send the script, that is an overload. */
  private static FailureKind ofNoScript(FailureKind kind, ScriptCall call) {
    if (BY_SOURCE.contains(call.verb())) {
      return FailureKind.UNKNOWN;
    }
    return call.remainingNanos() > 0 ? kind : FailureKind.OVERLOADED;
  }

  @Override
  public @Nullable LateVerdict answer(RuntimeException thrown) {
    ServerError error = meaningOfAll(TransportFailure.unwrapped(thrown)).error;
    return error == null ? null : LateVerdict.of(error);
  }

  @Override
  public @Nullable LateVerdict refusal(RuntimeException thrown) {
    Throwable top = TransportFailure.unwrapped(thrown);
    Meaning meaning = meaningOfAll(top);
    if (!meaning.kind.outage()) {
      return LateVerdict.REFUSED;
    }
    return meaning.error == null && TransportFailure.isLate(top) ? null : LateVerdict.OUTAGE;
  }

  @Override
  public boolean isUnreachable(RuntimeException thrown) {
    Throwable top = TransportFailure.unwrapped(thrown);
    boolean lacking = top instanceof NotSentException notSent && notSent.isNotConnected();
    return JdkFailures.isUnreachable(top) || lacking && meaningOfAll(top).error == null;
  }

  /** The exception for a failure outside a call. */
  public PenstockException exception(String what, RuntimeException thrown) {
    Meaning meaning = meaningOfAll(TransportFailure.unwrapped(thrown));
    String message = passwords.hiddenIn(what + FailureWords.words(thrown));
    return meaning.kind == FailureKind.MISCONFIGURED
        ? new MisconfiguredException(message, masked(thrown))
        : new PenstockException(meaning.kind, message, masked(thrown));
  }

  private RuntimeException masked(RuntimeException thrown) {
    return (RuntimeException) MaskedException.of(thrown, passwords);
  }

  private static RuntimeException cause(Throwable top) {
    Throwable own = top instanceof NotSentException notSent ? notSent.reason() : top;
    if (TransportFailure.unwrapped(own) instanceof RuntimeException known) {
      return known;
    }
    return own instanceof RuntimeException wrapping ? wrapping : new CompletionException(own);
  }

  /* Of equally strong causes the first decides, but for a lost connection the deepest. */
  private Meaning meaningOfAll(Throwable top) {
    Meaning strongest = new Meaning(FailureKind.UNKNOWN, top);
    Throwable cause = top;
    boolean wrapped = false;
    for (int i = 0; i < JdkFailures.MOST_CAUSES && cause != null; i++) {
      TransportFailure own = transport.apply(cause);
      Meaning meaning =
          wrapped && own == null && JdkFailures.isMistake(cause)
              ? new Meaning(FailureKind.UNKNOWN, cause, null, false, true)
              : meaning(cause, own);
      wrapped = own != null;
      if (meaning.strength() > strongest.strength()) {
        strongest = meaning;
      } else if (isTransport(meaning) && isTransport(strongest)) {
        strongest = new Meaning(strongest.kind, cause);
      }
      cause = cause.getCause();
    }
    // A peer that does not speak RESP at the start of a connection is not a Redis server.
    return strongest.isNoResp() && top instanceof NotSentException
        ? new Meaning(FailureKind.MISCONFIGURED, strongest.telling, null, true, false)
        : strongest;
  }

  private static boolean isTransport(Meaning meaning) {
    return meaning.kind == FailureKind.NOT_SENT || meaning.kind == FailureKind.NOT_ANSWERED;
  }

  private Meaning meaning(Throwable one, @Nullable TransportFailure own) {
    if (one instanceof NotSentException) {
      return new Meaning(FailureKind.NOT_SENT, one);
    }
    if (one instanceof ConnectingException) {
      return new Meaning(FailureKind.OVERLOADED, one);
    }
    if (one instanceof PenstockException known) {
      return new Meaning(known.kind(), one);
    }
    if (own == null) {
      return new Meaning(JdkFailures.kind(one), one);
    }
    String text = own.serverText();
    if (text == null) {
      FailureKind kind = own.kind() == null ? FailureKind.UNKNOWN : own.kind();
      return new Meaning(kind, one, null, kind == FailureKind.UNKNOWN, false);
    }
    ServerError error = ServerError.of(text);
    boolean wrongKind = error.isRedirection() && !followsRedirects.getAsBoolean();
    return new Meaning(
        wrongKind ? FailureKind.MISCONFIGURED : error.kind(), one, error, true, false);
  }
}
