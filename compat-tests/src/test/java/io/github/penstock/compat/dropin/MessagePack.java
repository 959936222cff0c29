package io.github.penstock.compat.dropin;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** The part of MessagePack that `redis-bucket` stores: numbers, and a list of them. */
final class MessagePack {
  private static final double SMALLEST_LONG = -0x1p63;
  private static final double LONGS_END = 0x1p63;

  private MessagePack() {}

  /** The bytes of a text. */
  static String hex(String text) {
    return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Three items after each other: a number, a number, and a list of numbers. */
  static String pack(double time, double denied, List<Double> levels) {
    StringBuilder hex = new StringBuilder(number(time)).append(number(denied));
    hex.append(
        levels.size() < 16
            ? "%02x".formatted(0x90 + levels.size())
            : "dc%04x".formatted(levels.size()));
    levels.forEach(level -> hex.append(number(level)));
    return hex.toString();
  }

  /** The shortest form that keeps the number: an integer, a float, a double. */
  private static String number(double value) {
    if (value == Math.rint(value) && value >= SMALLEST_LONG && value < LONGS_END) {
      return integer((long) value);
    }
    return (float) value == value
        ? "ca%08x".formatted(Float.floatToRawIntBits((float) value))
        : "cb%016x".formatted(Double.doubleToRawLongBits(value));
  }

  private static String integer(long value) {
    if (value < 0) {
      throw new IllegalArgumentException("value must be from 0, not " + value);
    }
    if (value < 0x80) {
      return "%02x".formatted(value);
    }
    if (value < 0x100) {
      return "cc%02x".formatted(value);
    }
    if (value < 0x10000) {
      return "cd%04x".formatted(value);
    }
    return value < 0x1_0000_0000L ? "ce%08x".formatted(value) : "cf%016x".formatted(value);
  }

  /**
   * Reads what {@link #pack} wrote: the two numbers, then the levels; a DropInError for anything
   * else.
   */
  static List<Double> unpack(String hex) throws DropInError {
    ByteBuffer bytes = ByteBuffer.wrap(HexFormat.of().parseHex(hex));
    try {
      List<Double> numbers = new ArrayList<>(List.of(read(bytes), read(bytes)));
      int head = bytes.get() & 0xff;
      int levels = head == 0xdc ? bytes.getShort() & 0xffff : head - 0x90;
      if (levels < 1 || (head != 0xdc && levels > 15)) {
        throw new DropInError("state");
      }
      for (int i = 0; i < levels; i++) {
        numbers.add(read(bytes));
      }
      if (bytes.hasRemaining()) {
        throw new DropInError("state");
      }
      return numbers;
    } catch (java.nio.BufferUnderflowException tooShort) {
      throw new DropInError("state");
    }
  }

  private static double read(ByteBuffer bytes) throws DropInError {
    int head = bytes.get() & 0xff;
    double value =
        switch (head) {
          case 0xcc -> bytes.get() & 0xff;
          case 0xcd -> bytes.getShort() & 0xffff;
          case 0xce -> bytes.getInt() & 0xffff_ffffL;
          case 0xcf -> bytes.getLong();
          case 0xca -> bytes.getFloat();
          case 0xcb -> bytes.getDouble();
          default -> head;
        };
    boolean number = head < 0x80 || (head >= 0xca && head <= 0xcf);
    if (!number || !Double.isFinite(value)) {
      throw new DropInError("state");
    }
    return value;
  }
}
