package io.github.penstock.testkit.topology;

import java.nio.charset.StandardCharsets;

/** The hash slot of a key in a cluster: CRC-16/XMODEM of the key or its hash tag, modulo 16384. */
public final class KeySlot {
  /** How many slots a cluster has. */
  public static final int COUNT = 16_384;

  private static final int POLYNOMIAL = 0x1021;

  private KeySlot() {}

  /** The slot of a key, 0 to 16383. */
  public static int of(String key) {
    int crc = 0;
    for (byte octet : hashed(key).getBytes(StandardCharsets.UTF_8)) {
      crc ^= (octet & 0xff) << 8;
      for (int bit = 0; bit < 8; bit++) {
        crc = (crc & 0x8000) == 0 ? crc << 1 : crc << 1 ^ POLYNOMIAL;
      }
    }
    return (crc & 0xffff) % COUNT;
  }

  private static String hashed(String key) {
    int open = key.indexOf('{');
    int close = key.indexOf('}', open + 1);
    return open >= 0 && close > open + 1 ? key.substring(open + 1, close) : key;
  }
}
