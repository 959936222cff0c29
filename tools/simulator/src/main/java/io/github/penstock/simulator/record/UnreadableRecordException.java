package io.github.penstock.simulator.record;

/** A record that cannot be used: the message is the reason, in a few words. */
public final class UnreadableRecordException extends Exception {
  private static final long serialVersionUID = 1L;

  public UnreadableRecordException(String reason) {
    super(reason, null, false, false);
  }

  public String reason() {
    return String.valueOf(getMessage());
  }
}
