package io.github.penstock.core.internal.protocol;

import io.github.penstock.core.AcquiredUnits;
import io.github.penstock.core.Decision;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.MisconfiguredException;
import io.github.penstock.core.UnreadableReplyException;
import io.github.penstock.core.Usage;
import io.github.penstock.core.spi.ScriptCall;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Reads the protocol's reply; anything but six integers within their bounds is unreadable. */
public final class ReplyDecoder {
  private static final int LENGTH = 6;
  private static final String QUEUED =
      "the connection is within the application's MULTI, which a call must not share: give these"
          + " limiters a connection of their own; the call joined the transaction: key ";

  private ReplyDecoder() {}

  public static Decision decision(ScriptCall call, @Nullable Object reply) {
    return acquired(call, reply, 1).decision();
  }

  /** Returns how many of {@code max} units were taken, and the decision about them. */
  public static AcquiredUnits acquired(ScriptCall call, @Nullable Object reply, long max) {
    List<?> six = six(call, reply);
    try {
      return acquired(six, max);
    } catch (ClassCastException | ArithmeticException | IllegalArgumentException e) {
      throw unreadable(call, reply, e);
    }
  }

  /**
   * Returns how many of {@code max} calls were allowed, and the decision about them.
   *
   * @throws ClassCastException if one of the six is not an integer
   * @throws ArithmeticException if the tier does not fit an int
   * @throws IllegalArgumentException if one is out of its bounds
   */
  public static AcquiredUnits acquired(List<?> six, long max) {
    long units = integer(six, 0);
    if (units < 0 || units > max) {
      throw new IllegalArgumentException("allowed must be from 0 to " + max + ": " + units);
    }
    int tier = Math.toIntExact(integer(six, 5));
    Decision decision =
        new Decision(
            units > 0,
            integer(six, 1),
            integer(six, 2),
            integer(six, 3),
            integer(six, 4),
            tier,
            DecisionSource.SERVER);
    return new AcquiredUnits(units, decision);
  }

  public static Usage usage(ScriptCall call, @Nullable Object reply) {
    List<?> six = six(call, reply);
    try {
      int tier = Math.toIntExact(integer(six, 5));
      return new Usage(integer(six, 1), integer(six, 2), integer(six, 3), integer(six, 4), tier);
    } catch (ClassCastException | ArithmeticException | IllegalArgumentException e) {
      throw unreadable(call, reply, e);
    }
  }

  /** The six integers as they are. */
  public static List<Long> longs(ScriptCall call, @Nullable Object reply) {
    try {
      List<?> six = six(call, reply);
      return IntStream.range(0, LENGTH).mapToObj(index -> integer(six, index)).toList();
    } catch (ClassCastException e) {
      throw unreadable(call, reply, e);
    }
  }

  private static List<?> six(ScriptCall call, @Nullable Object reply) {
    List<?> six = list(call, reply);
    if (six.size() != LENGTH) {
      throw unreadable(call, reply, null);
    }
    return six;
  }

  public static List<?> list(ScriptCall call, @Nullable Object reply) {
    if (reply instanceof List<?> list && !isQueued(reply)) {
      return list;
    }
    if (isQueued(reply)) {
      throw new MisconfiguredException(QUEUED + call.keyText(), null);
    }
    throw unreadable(call, reply, null);
  }

  /* The bytes or the text, in a list or alone. */
  private static boolean isQueued(@Nullable Object reply) {
    Object only = reply instanceof List<?> list && list.size() == 1 ? list.get(0) : reply;
    return only instanceof byte[] bytes
        ? "QUEUED".equals(new String(bytes, StandardCharsets.US_ASCII))
        : "QUEUED".equals(only);
  }

  private static UnreadableReplyException unreadable(
      ScriptCall call, @Nullable Object reply, @Nullable Exception why) {
    return new UnreadableReplyException(call.scriptName(), call.keyText(), reply, why);
  }

  private static long integer(List<?> six, int index) {
    if (six.get(index) instanceof Long number) {
      return number;
    }
    throw new ClassCastException("an integer must stand at " + index + ": " + six.get(index));
  }
}
