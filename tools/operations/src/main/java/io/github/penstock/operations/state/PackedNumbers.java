package io.github.penstock.operations.state;

import io.github.penstock.report.console.UserErrorException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the numbers of MessagePack values, lists flattened, as the drop-in redis-bucket has them.
 */
final class PackedNumbers {
  private final ByteBuffer bytes;
  private final List<Double> numbers = new ArrayList<>();

  private PackedNumbers(ByteBuffer bytes) {
    this.bytes = bytes;
  }

  /** All numbers, in their order; a UserErrorException if there is anything else. */
  static List<Double> of(String latin) {
    PackedNumbers packed =
        new PackedNumbers(ByteBuffer.wrap(latin.getBytes(StandardCharsets.ISO_8859_1)));
    try {
      while (packed.bytes.hasRemaining()) {
        packed.value();
      }
    } catch (BufferUnderflowException cut) {
      throw foreign();
    }
    return List.copyOf(packed.numbers);
  }

  private void value() {
    int type = bytes.get() & 0xff;
    if (type >= 0x90 && type <= 0x9f) {
      return;
    }
    numbers.add(type < 0x80 ? type : type >= 0xe0 ? (byte) type : longer(type));
  }

  private double longer(int type) {
    return switch (type) {
      case 0xca -> bytes.getFloat();
      case 0xcb -> bytes.getDouble();
      case 0xcc -> bytes.get() & 0xff;
      case 0xcd -> bytes.getShort() & 0xffff;
      case 0xce -> bytes.getInt() & 0xffff_ffffL;
      case 0xcf, 0xd3 -> bytes.getLong();
      case 0xd0 -> bytes.get();
      case 0xd1 -> bytes.getShort();
      case 0xd2 -> bytes.getInt();
      default -> throw foreign();
    };
  }

  private static UserErrorException foreign() {
    return new UserErrorException("the key holds what redis-bucket does not write.");
  }
}
