package io.github.penstock.compat.result;

/** The faults of the suite's cases, in the order of docs/clients.md. */
public enum FaultCase {
  REPLIES_DROPPED("replies dropped after execution"),
  ONE_CONNECTION_CUT("one connection cut after execution"),
  CONNECTIONS_CUT("connections cut after execution"),
  REPLIES_LATE("replies later than the deadline"),
  BLACK_HOLE("nothing passes"),
  SILENT_CONNECTIONS("old connections silent for good"),
  CONNECTIONS_REFUSED("connections refused"),
  SERVER_STOPPED("server stopped for 5 s"),
  POOL_EXHAUSTED("server stopped for 3 s, pool exhausted"),
  SERVER_RESTARTED("server restarted"),
  PRIMARY_KILLED("primary killed"),
  SLOT_MOVED("slot moved 6 times");

  private final String text;

  FaultCase(String text) {
    this.text = text;
  }

  /** The case as readers get to see it. */
  public String text() {
    return text;
  }
}
