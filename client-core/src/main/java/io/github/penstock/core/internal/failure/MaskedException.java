package io.github.penstock.core.internal.failure;

import io.github.penstock.core.spi.connecting.KnownPasswords;
import org.jspecify.annotations.Nullable;

/**
 * Replaces an exception that has a password in its text, or in that of its causes: its class name,
 * its text without the password, and its stack trace.
 */
final class MaskedException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final String className;

  private MaskedException(Throwable shown, String message, @Nullable Throwable cause) {
    super(message, cause);
    className = shown.getClass().getName();
    setStackTrace(shown.getStackTrace());
  }

  /** Returns the exception itself if no password is in it. */
  static Throwable of(Throwable thrown, KnownPasswords passwords) {
    return shows(thrown, passwords, JdkFailures.MOST_CAUSES)
        ? masked(thrown, passwords, JdkFailures.MOST_CAUSES)
        : thrown;
  }

  private static boolean shows(@Nullable Throwable thrown, KnownPasswords passwords, int most) {
    if (thrown == null || most == 0) {
      return false;
    }
    boolean shown =
        passwords.isIn(thrown.getMessage()) || shows(thrown.getCause(), passwords, most - 1);
    for (Throwable each : thrown.getSuppressed()) {
      shown = shown || shows(each, passwords, most - 1);
    }
    return shown;
  }

  private static MaskedException masked(Throwable thrown, KnownPasswords passwords, int most) {
    Throwable cause = thrown.getCause();
    MaskedException masked =
        new MaskedException(
            thrown,
            passwords.hiddenIn(String.valueOf(thrown.getMessage())),
            cause == null || most == 0 ? null : masked(cause, passwords, most - 1));
    for (Throwable each : most == 0 ? new Throwable[0] : thrown.getSuppressed()) {
      masked.addSuppressed(masked(each, passwords, most - 1));
    }
    return masked;
  }

  @Override
  public String toString() {
    return className + ": " + getMessage();
  }
}
