package io.github.penstock.testkit.fault;

import java.time.Duration;

/** A fault that a {@link FaultProxy} makes. Immutable. */
public final class NetworkFault {
  /** Everything passes. */
  public static final NetworkFault NONE = new NetworkFault(Kind.NONE, Duration.ZERO, 0);

  /**
   * Script calls reach the server and are executed; their replies, and whatever the server says on
   * that connection afterwards, never come back.
   */
  public static final NetworkFault REPLY_DROPPED =
      new NetworkFault(Kind.REPLY_DROPPED, Duration.ZERO, 0);

  /**
   * Script calls reach the server and are executed; their replies, and whatever the server says on
   * that connection afterwards, come when the proxy is told something else.
   */
  public static final NetworkFault REPLY_HELD = new NetworkFault(Kind.REPLY_HELD, Duration.ZERO, 0);

  /** Script calls are executed; the connection is cut instead of passing the reply on. */
  public static final NetworkFault CUT = new NetworkFault(Kind.CUT, Duration.ZERO, 0);

  /** Nothing passes in either direction, and nobody is told. */
  public static final NetworkFault BLACK_HOLE = new NetworkFault(Kind.BLACK_HOLE, Duration.ZERO, 0);

  /**
   * Nothing passes any more on the connections that there are, for good, and nobody is told; new
   * ones work.
   */
  public static final NetworkFault SILENT = new NetworkFault(Kind.SILENT, Duration.ZERO, 0);

  /** Every connection is cut and new ones are refused. */
  public static final NetworkFault REFUSED = new NetworkFault(Kind.REFUSED, Duration.ZERO, 0);

  /** Every connection is cut, and connecting neither succeeds nor fails. */
  public static final NetworkFault UNREACHABLE =
      new NetworkFault(Kind.UNREACHABLE, Duration.ZERO, 0);

  enum Kind {
    NONE,
    REPLY_DROPPED,
    REPLY_HELD,
    CUT,
    DELAYED,
    BLACK_HOLE,
    SILENT,
    REFUSED,
    UNREACHABLE;

    /** Whether it is about the replies to script calls. */
    boolean aboutReplies() {
      return this == REPLY_DROPPED || this == REPLY_HELD || this == CUT || this == DELAYED;
    }

    /** Whether there are no connections. */
    boolean closed() {
      return this == REFUSED || this == UNREACHABLE;
    }
  }

  private final Kind kind;
  private final Duration delay;
  private final int nth;

  private NetworkFault(Kind kind, Duration delay, int nth) {
    this.kind = kind;
    this.delay = delay;
    this.nth = nth;
  }

  /** The replies to script calls arrive this much later than the calls were sent, at least. */
  public static NetworkFault delayed(Duration delay) {
    if (delay.isNegative() || delay.isZero()) {
      throw new IllegalArgumentException("delay must be positive, not " + delay);
    }
    return new NetworkFault(Kind.DELAYED, delay, 0);
  }

  /**
   * This fault, but only for one script call.
   *
   * @param nth which one from when the proxy is told, from 1
   * @throws IllegalArgumentException if that is below 1, or if this fault is not about single calls
   */
  public NetworkFault onlyFor(int nth) {
    if (nth < 1) {
      throw new IllegalArgumentException("nth must be at least 1, not " + nth);
    }
    if (!kind.aboutReplies()) {
      throw new IllegalArgumentException(kind + " must be for all calls");
    }
    return new NetworkFault(kind, delay, nth);
  }

  Kind kind() {
    return kind;
  }

  Duration delay() {
    return delay;
  }

  /** Which call it is for; 0 for all. */
  int nth() {
    return nth;
  }

  @Override
  public String toString() {
    String what = kind == Kind.DELAYED ? kind + " by " + delay : kind.toString();
    return nth == 0 ? what : what + ", call " + nth + " only";
  }
}
