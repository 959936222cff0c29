package io.github.penstock.core.internal.near;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** A hash of a key, eight bytes at a time; it is computed for every call, so it must be cheap. */
final class KeyHash {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long GOLDEN = 0x9E37_79B9_7F4A_7C15L;

  private KeyHash() {}

  static int of(byte[] key) {
    long hash = key.length;
    int i = 0;
    for (; i + Long.BYTES <= key.length; i += Long.BYTES) {
      hash = mixed(hash, (long) LONGS.get(key, i));
    }
    long rest = 0;
    for (; i < key.length; i++) {
      rest = rest << Byte.SIZE | key[i] & 0xff;
    }
    hash = mixed(hash, rest);
    return (int) (hash ^ hash >>> Integer.SIZE);
  }

  private static long mixed(long hash, long word) {
    long mixed = (hash ^ word) * GOLDEN;
    return mixed ^ mixed >>> Integer.SIZE;
  }
}
