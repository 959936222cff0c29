package io.github.penstock.benchmarks.compare.log;

/** A record that cannot be used: the message is the reason, in a few words. */
final class Unreadable extends Exception {
  private static final long serialVersionUID = 1L;

  Unreadable(String reason) {
    super(reason, null, false, false);
  }

  String reason() {
    return String.valueOf(getMessage());
  }
}
