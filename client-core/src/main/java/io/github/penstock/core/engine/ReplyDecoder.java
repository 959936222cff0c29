package io.github.penstock.core.engine;

import io.github.penstock.core.Decision;
import io.github.penstock.core.UnreadableReplyException;
import io.github.penstock.core.Usage;
import io.github.penstock.scripts.LuaScript;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the protocol's reply; anything but six integers within their bounds is unreadable. */
final class ReplyDecoder {
  private static final int LENGTH = 6;

  private ReplyDecoder() {}

  static Decision decision(LuaScript script, @Nullable Object reply) {
    List<?> six = six(script, reply);
    try {
      boolean allowed = flag(integer(six, 0));
      int tier = Math.toIntExact(integer(six, 5));
      return new Decision(
          allowed, integer(six, 1), integer(six, 2), integer(six, 3), integer(six, 4), tier, true);
    } catch (ClassCastException | ArithmeticException | IllegalArgumentException e) {
      throw new UnreadableReplyException(script.scriptName(), reply, e);
    }
  }

  static Usage usage(LuaScript script, @Nullable Object reply) {
    List<?> six = six(script, reply);
    try {
      int tier = Math.toIntExact(integer(six, 5));
      return new Usage(integer(six, 1), integer(six, 2), integer(six, 3), integer(six, 4), tier);
    } catch (ClassCastException | ArithmeticException | IllegalArgumentException e) {
      throw new UnreadableReplyException(script.scriptName(), reply, e);
    }
  }

  /** The six integers as they are. */
  static List<Long> longs(LuaScript script, @Nullable Object reply) {
    try {
      return six(script, reply).stream().map(Long.class::cast).toList();
    } catch (ClassCastException e) {
      throw new UnreadableReplyException(script.scriptName(), reply, e);
    }
  }

  private static List<?> six(LuaScript script, @Nullable Object reply) {
    if (reply instanceof List<?> six && six.size() == LENGTH) {
      return six;
    }
    throw new UnreadableReplyException(script.scriptName(), reply, null);
  }

  private static boolean flag(long value) {
    if (value != 0 && value != 1) {
      throw new IllegalArgumentException("allowed must be 0 or 1: " + value);
    }
    return value == 1;
  }

  private static long integer(List<?> six, int index) {
    return (Long) six.get(index);
  }
}
