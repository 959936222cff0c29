package io.github.penstock.compat.load;

/** The text of a client's exceptions. */
public final class FailureText {
  private FailureText() {}

  /** The messages of an exception and all its causes. */
  public static String text(Throwable failure) {
    StringBuilder text = new StringBuilder();
    for (Throwable told = failure; told != null; told = told.getCause()) {
      text.append(told.getClass().getSimpleName()).append(": ").append(told.getMessage());
      text.append('\n');
    }
    return text.toString();
  }
}
