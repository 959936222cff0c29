package io.github.penstock.core;

/**
 * Thrown if the script rejected the call, so that nothing was charged; the message names the
 * argument and the rule.
 *
 * <p>Limits and costs are checked before a call is sent, so the remaining causes are {@code state}
 * (the key holds a value that this library did not write), {@code now_us} (the server's clock is
 * before September 2001) and, from an older Functions library, {@code cost} (the library predates
 * {@link RateLimiter#tryAcquireUpTo}).
 */
public final class ScriptRefusedException extends MisconfiguredException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message the script's error text without the leading {@code ERR}, followed by policy and
   *     key
   * @param cause the client's own exception
   */
  public ScriptRefusedException(String message, Throwable cause) {
    super(message, cause);
  }
}
