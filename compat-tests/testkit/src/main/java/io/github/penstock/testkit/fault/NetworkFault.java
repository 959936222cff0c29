package io.github.penstock.testkit.fault;

/** A fault that a {@link FaultProxy} makes. */
public enum NetworkFault {
  /** Everything passes. */
  NONE,

  /**
   * Script calls reach the server and are executed; their replies, and all later data of the server
   * on that connection, are lost.
   */
  REPLY_DROPPED,

  /**
   * Script calls reach the server and are executed; their replies, and all later data of the server
   * on that connection, arrive once another fault, or none, is set.
   */
  REPLY_HELD,

  /** Script calls are executed; the connection is cut instead of passing the reply on. */
  CUT,

  /** Script calls are executed; the reply is another one, as {@link FaultProxy#answer} was told. */
  REPLACED,

  /** The replies to script calls arrive later, as {@link FaultProxy#delay} was told. */
  DELAYED,

  /** Nothing passes in either direction, silently. */
  BLACK_HOLE,

  /** Nothing ever passes again on the existing connections, silently; new ones work. */
  SILENT,

  /** Every connection is cut and new ones are refused. */
  REFUSED,

  /** Every connection is cut, and connecting neither succeeds nor fails. */
  UNREACHABLE;

  /** Returns whether it is about the replies to script calls. */
  boolean aboutReplies() {
    return switch (this) {
      case REPLY_DROPPED, REPLY_HELD, CUT, REPLACED, DELAYED -> true;
      default -> false;
    };
  }

  /** Returns whether it has no connections. */
  boolean closed() {
    return this == REFUSED || this == UNREACHABLE;
  }
}
