package io.github.penstock.compat.reservation;

import io.github.penstock.testkit.model.StoredValue;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

/** A value of MessagePack with one mistake in it: in a number, in a part, or in a byte. */
final class DamagedValue {
  private static final HexFormat HEX = HexFormat.of();

  /* Of no integer: NaN, infinite, 0.5, 1e300, negative, a text, a list, nothing, true. */
  private static final List<String> ODD =
      List.of(
          "cb7ff8000000000000",
          "cb7ff0000000000000",
          "cb3fe0000000000000",
          "cb7e37e43c8800759c",
          "ff",
          "d3fff9bbe9c0c10000",
          "a131",
          "a178",
          "90",
          "9107",
          "80",
          "c0",
          "c3");

  /* Of integers at bounds: 0, 1, 2, 10^12, 10^12 + 1, 2^52 - 1, 2^52, 2^53 - 1, 2^53, 2^63, 4e15,
  2^52 + 2^45 - 1, 2^52 + 2^45. */
  private static final List<String> BOUNDS =
      List.of(
          "00",
          "01",
          "02",
          "cf000000e8d4a51000",
          "cf000000e8d4a51001",
          "cf000fffffffffffff",
          "cf0010000000000000",
          "cf001fffffffffffff",
          "cf0020000000000000",
          "cf8000000000000000",
          "cf000e35fa931a0000",
          "cf00101fffffffffff",
          "cf0010200000000000");

  private DamagedValue() {}

  /** The same value with a mistake. */
  static StoredValue of(StoredValue right, Random random) {
    byte[] bytes = HEX.parseHex(String.valueOf(right.text()));
    byte[] wrong = bytes;
    while (Arrays.equals(wrong, bytes)) {
      wrong = damaged(bytes, random);
    }
    return StoredValue.binary(HEX.formatHex(wrong), StoredValue.ENDLESS);
  }

  private static byte[] damaged(byte[] bytes, Random random) {
    List<byte[]> parts = parts(bytes);
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      if (isNumber(parts.get(i)[0] & 0xff)) {
        numbers.add(i);
      }
    }
    int number = numbers.get(random.nextInt(numbers.size()));
    switch (random.nextInt(8)) {
      case 0, 1 -> parts.set(number, HEX.parseHex(ODD.get(random.nextInt(ODD.size()))));
      case 2, 3 -> parts.set(number, HEX.parseHex(BOUNDS.get(random.nextInt(BOUNDS.size()))));
      case 4 -> parts.set(number, parts.get(numbers.get(random.nextInt(numbers.size()))));
      case 5 -> parts.remove(random.nextInt(parts.size()));
      case 6 -> parts.add(number, parts.get(number));
      default -> {
        byte[] part = parts.get(random.nextInt(parts.size()));
        part[random.nextInt(part.length)] ^= (byte) (1 << random.nextInt(8));
      }
    }
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    parts.forEach(joined::writeBytes);
    return joined.toByteArray();
  }

  private static List<byte[]> parts(byte[] bytes) {
    List<byte[]> parts = new ArrayList<>();
    for (int at = 0; at < bytes.length; ) {
      int end = at + size(bytes, at);
      parts.add(Arrays.copyOfRange(bytes, at, end));
      at = end;
    }
    return parts;
  }

  private static boolean isNumber(int type) {
    return type < 0x80 || type >= 0xcc && type <= 0xcf;
  }

  private static int size(byte[] bytes, int at) {
    int type = bytes[at] & 0xff;
    return switch (type) {
      case 0xcc -> 2;
      case 0xcd, 0xdc -> 3;
      case 0xce -> 5;
      case 0xcf -> 9;
      case 0xd9 -> 2 + (bytes[at + 1] & 0xff);
      default -> type >= 0xa0 && type < 0xc0 ? 1 + type - 0xa0 : 1;
    };
  }
}
