package io.github.penstock.core;

/**
 * Thrown if the script rejects the call. Nothing was charged. The message names the argument and
 * the rule that it violates.
 *
 * <p>Limits and costs are checked before a call is sent. For a call of a {@link RateLimiter}, the
 * message therefore names one of three arguments. It names {@code state} if the key holds a value
 * that this library did not write, {@code now_us} if the server's clock is before September 2001,
 * and {@code cost} if the Functions library is older than {@link RateLimiter#tryAcquireUpTo}.
 */
public final class ScriptRefusedException extends MisconfiguredException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message the script's error text without the leading {@code ERR}, followed by the policy
   *     and the key
   * @param cause the client's own exception
   */
  public ScriptRefusedException(String message, Throwable cause) {
    super(message, cause);
  }
}
