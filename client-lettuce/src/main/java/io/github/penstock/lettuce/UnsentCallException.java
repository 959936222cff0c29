package io.github.penstock.lettuce;

import io.lettuce.core.RedisException;
import java.util.concurrent.TimeoutException;

/** A call that was not written in time, or found a queue of the client full. */
final class UnsentCallException extends RedisException {
  private static final long serialVersionUID = 1L;
  private static final TimeoutException LATE = new TimeoutException("not written in time");

  UnsentCallException(String why) {
    super(why, LATE);
  }

  /** Nothing: there may be thousands. */
  @Override
  public Throwable fillInStackTrace() {
    return this;
  }
}
