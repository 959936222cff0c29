package io.github.penstock.lettuce;

import io.lettuce.core.RedisException;

/**
 * A call that was not sent because of those before it. Whether their server is overloaded or
 * unreachable is determined when the call ends, because it may wait until then. Immutable.
 */
final class UnsentCallException extends RedisException {
  private static final long serialVersionUID = 1L;
  private final transient CallBacklog backlog;

  UnsentCallException(CallBacklog backlog, String why) {
    super(why);
    this.backlog = backlog;
  }

  boolean isOverloaded() {
    return backlog.full(this).isOverloaded();
  }

  /** Nothing: there may be thousands. */
  @Override
  public Throwable fillInStackTrace() {
    return this;
  }
}
