package io.github.penstock.core.spi;

import java.util.function.BooleanSupplier;

/**
 * Thrown by a transport for a call that never left this process: no connection could be obtained,
 * or the deadline passed before it was written. Core unwraps it.
 */
public final class NotSentException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final RuntimeException reason;
  private final Why why;
  private final transient BooleanSupplier answeredSince;

  /** The reason that the call was not sent. */
  private enum Why {
    OTHER,
    NOT_CONNECTED,
    NOT_KNOWN_YET,
    OVERLOADED
  }

  /**
   * @param reason the client's own exception
   */
  public NotSentException(RuntimeException reason) {
    this(reason, Why.OTHER, () -> false);
  }

  private NotSentException(RuntimeException reason, Why why, BooleanSupplier answeredSince) {
    super(null, reason, false, false);
    this.reason = reason;
    this.why = why;
    this.answeredSince = answeredSince;
  }

  /**
   * Only a connection was missing: core hands the call to the transport again, until its deadline.
   *
   * @param reason the client's own exception
   */
  public static NotSentException notConnected(RuntimeException reason) {
    return new NotSentException(reason, Why.NOT_CONNECTED, () -> false);
  }

  /**
   * A bound of the transport or its client was full, although the node has answered a call within
   * the last deadline; {@link AnswerWatch} knows. A full bound of a silent node is any other {@code
   * NotSentException}.
   *
   * @param reason the bound that was full
   */
  public static NotSentException overloaded(RuntimeException reason) {
    return new NotSentException(reason, Why.OVERLOADED, () -> false);
  }

  /**
   * A bound was full, and it is not known yet whether the node answers: core hands the call to the
   * transport again, until its deadline.
   *
   * @param answeredSince whether the node has answered a call within the last deadline, asked then
   */
  static NotSentException notKnownYet(RuntimeException reason, BooleanSupplier answeredSince) {
    return new NotSentException(reason, Why.NOT_KNOWN_YET, answeredSince);
  }

  /** The failure of this call if too many wait already: a possible overload counts as one. */
  public NotSentException withoutWaiting() {
    return why == Why.NOT_KNOWN_YET ? overloaded(reason) : this;
  }

  /** The client's own exception. */
  public RuntimeException reason() {
    return reason;
  }

  /** Returns whether core hands the call to the transport again. */
  public boolean isNotConnected() {
    return why == Why.NOT_CONNECTED || why == Why.NOT_KNOWN_YET;
  }

  /** Returns whether a bound was full although the node answers. */
  public boolean isOverloaded() {
    return why == Why.OVERLOADED || answeredSince.getAsBoolean();
  }
}
