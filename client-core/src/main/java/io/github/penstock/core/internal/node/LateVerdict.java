package io.github.penstock.core.internal.node;

import io.github.penstock.core.spi.ServerError;

/** The end of a call, by rule F2. */
public enum LateVerdict {
  /** It was answered. */
  DECIDED,
  /** It is late, and its server answers. */
  OVERLOADED,
  /** It is late, and its server does not answer, or says that it cannot serve calls. */
  OUTAGE,
  /** It is late, and its server refuses connections because of a configuration error. */
  REFUSED;

  /** The verdict on late calls that follows from an error that the server answered to a check. */
  public static LateVerdict of(ServerError answer) {
    boolean serves = answer.isNoScript() || answer.isRedirection() || !answer.kind().outage();
    return serves ? OVERLOADED : OUTAGE;
  }
}
