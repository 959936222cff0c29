package io.github.penstock.compat.suite;

/** What a client's exceptions say. */
final class Failures {
  private Failures() {}

  /** The messages of an exception and all its causes. */
  static String text(Throwable failure) {
    StringBuilder text = new StringBuilder();
    for (Throwable told = failure; told != null; told = told.getCause()) {
      text.append(told.getClass().getSimpleName()).append(": ").append(told.getMessage());
      text.append('\n');
    }
    return text.toString();
  }
}
