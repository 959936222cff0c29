package io.github.penstock.testkit.reservation;

import static io.github.penstock.testkit.reservation.ReservationException.require;

import io.github.penstock.testkit.model.ProtocolBounds;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;

/**
 * MessagePack values as the scripts store them: integers from 0, strings (a character for each
 * byte), and arrays of these.
 *
 * <p>Reading takes all that the servers' library takes. An integer may have any encoding; anything
 * but an integer, a string or an array becomes a value of another class. An array ends before the
 * nils at its end.
 */
final class PackedValues {
  private PackedValues() {}

  /** The bytes of values, one after the other, in hexadecimal digits. */
  static String hex(List<?> values) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      for (Object value : values) {
        write(value, out);
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    return HexFormat.of().formatHex(bytes.toByteArray());
  }

  private static void write(Object value, DataOutputStream out) throws IOException {
    if (value instanceof List<?> items) {
      length(items.size(), 0x90, 16, new int[] {-1, 0xdc, 0xdd}, out);
      for (Object item : items) {
        write(item, out);
      }
    } else if (value instanceof String text) {
      length(text.length(), 0xa0, 32, new int[] {0xd9, 0xda, 0xdb}, out);
      out.write(text.getBytes(StandardCharsets.ISO_8859_1));
    } else {
      number((Long) value, out);
    }
  }

  private static void number(long number, DataOutputStream out) throws IOException {
    if (number < 0x80) {
      out.writeByte((int) number);
    } else if (number < 0x100) {
      out.writeByte(0xcc);
      out.writeByte((int) number);
    } else if (number < 0x10000) {
      out.writeByte(0xcd);
      out.writeShort((int) number);
    } else if (number < 0x1_0000_0000L) {
      out.writeByte(0xce);
      out.writeInt((int) number);
    } else {
      out.writeByte(0xcf);
      out.writeLong(number);
    }
  }

  private static void length(int length, int fixed, int fits, int[] types, DataOutputStream out)
      throws IOException {
    if (length < fits) {
      out.writeByte(fixed + length);
    } else if (length < 0x100 && types[0] >= 0) {
      out.writeByte(types[0]);
      out.writeByte(length);
    } else if (length < 0x10000) {
      out.writeByte(types[1]);
      out.writeShort(length);
    } else {
      out.writeByte(types[2]);
      out.writeInt(length);
    }
  }

  /** Reads all values; anything else is an error that names {@code problem}. */
  static List<Object> read(String hex, String problem) throws ReservationException {
    ByteBuffer bytes = ByteBuffer.wrap(HexFormat.of().parseHex(hex));
    List<Object> values = new ArrayList<>();
    try {
      while (bytes.hasRemaining()) {
        values.add(value(bytes, problem));
      }
    } catch (BufferUnderflowException cut) {
      throw new ReservationException(problem);
    }
    return values;
  }

  private static Object value(ByteBuffer bytes, String problem) throws ReservationException {
    int type = bytes.get() & 0xff;
    if (type < 0x80) {
      return (long) type;
    }
    if (type >= 0x90 && type < 0xa0) {
      return items(bytes, type - 0x90, problem);
    }
    if (type >= 0xa0 && type < 0xc0) {
      return text(bytes, type - 0xa0);
    }
    if (type >= 0x80 && type < 0x90) {
      return pairs(bytes, type - 0x80, problem);
    }
    if (type >= 0xe0) {
      return (long) (byte) type;
    }
    return switch (type) {
      case 0xcc -> bytes.get() & 0xffL;
      case 0xcd -> bytes.getShort() & 0xffffL;
      case 0xce -> bytes.getInt() & 0xffff_ffffL;
      case 0xcf, 0xd3 -> bytes.getLong();
      case 0xd0 -> (long) bytes.get();
      case 0xd1 -> (long) bytes.getShort();
      case 0xd2 -> (long) bytes.getInt();
      case 0xca -> number(bytes.getFloat());
      case 0xcb -> number(bytes.getDouble());
      case 0xc0 -> Nothing.NIL;
      case 0xc2, 0xc3 -> type == 0xc3;
      case 0xd9 -> text(bytes, bytes.get() & 0xff);
      case 0xda -> text(bytes, bytes.getShort() & 0xffff);
      case 0xdb -> text(bytes, bytes.getInt() & 0xffff_ffffL);
      case 0xdc -> items(bytes, bytes.getShort() & 0xffff, problem);
      case 0xdd -> items(bytes, bytes.getInt() & 0xffff_ffffL, problem);
      case 0xde -> pairs(bytes, bytes.getShort() & 0xffff, problem);
      case 0xdf -> pairs(bytes, bytes.getInt() & 0xffff_ffffL, problem);
      default -> throw new ReservationException(problem);
    };
  }

  /** What is no value. */
  private enum Nothing {
    NIL
  }

  private static Object number(double value) {
    boolean integer = value == Math.rint(value) && Math.abs(value) < ProtocolBounds.EXACT_END;
    return integer ? (Object) (long) value : (Object) value;
  }

  private static List<Object> items(ByteBuffer bytes, long count, String problem)
      throws ReservationException {
    List<Object> items = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      items.add(value(bytes, problem));
    }
    while (!items.isEmpty() && items.get(items.size() - 1) == Nothing.NIL) {
      items.remove(items.size() - 1);
    }
    return items;
  }

  private static Set<Object> pairs(ByteBuffer bytes, long count, String problem)
      throws ReservationException {
    Set<Object> pairs = new HashSet<>();
    for (long i = 0; i < 2 * count; i++) {
      pairs.add(value(bytes, problem));
    }
    return pairs;
  }

  private static String text(ByteBuffer bytes, long length) {
    if (length > bytes.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] text = new byte[(int) length];
    bytes.get(text);
    return new String(text, StandardCharsets.ISO_8859_1);
  }

  static long[] numbers(List<?> values, String problem) throws ReservationException {
    require(values.stream().allMatch(Long.class::isInstance), problem);
    return values.stream().mapToLong(value -> (Long) value).toArray();
  }
}
