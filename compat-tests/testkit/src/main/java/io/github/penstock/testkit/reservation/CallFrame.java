package io.github.penstock.testkit.reservation;

import static io.github.penstock.testkit.reservation.ReservationException.require;

import io.github.penstock.testkit.model.ExpectedOutcome;
import io.github.penstock.testkit.model.LuaNumber;
import io.github.penstock.testkit.model.ProtocolBounds;
import io.github.penstock.testkit.model.StoredValue;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The common start of both calls, and their reading of keys.
 *
 * @param entryKeys the keys without the receipt's
 * @param receiptKey null where there is none
 */
record CallFrame(
    ReservationModel server,
    List<String> entryKeys,
    @Nullable String receiptKey,
    long keepUs,
    long nowUs) {
  private static final int MOST_ENTRIES = 8;
  private static final long LEAST_KEEP_US = 1000;
  private static final long KEPT_MS = 1000;
  private static final int HIGHEST_EIGHTH = 3;

  static CallFrame read(
      ReservationModel server, List<String> keys, List<String> arguments, boolean receiptAlways)
      throws ReservationException {
    boolean keepsNothing =
        !arguments.isEmpty() && LuaNumber.integer(arguments.get(0)).orElse(-1) == 0;
    boolean receipt = receiptAlways || !keepsNothing;
    int entries = keys.size() - (receipt ? 1 : 0);
    require(entries >= 1 && entries <= MOST_ENTRIES, "key");
    require(new HashSet<>(keys).size() == keys.size(), "key");
    String keep = arguments.isEmpty() ? "" : arguments.get(0);
    long keepUs =
        keepsNothing
            ? 0
            : ReservationEntry.integer(keep, "keep_us", LEAST_KEEP_US, ProtocolBounds.LONGEST_US);
    String now = arguments.size() < 2 ? "" : arguments.get(1);
    long nowUs =
        ReservationEntry.integer(
            now, "now_us", ProtocolBounds.FIRST_US, ProtocolBounds.NOW_END - 1);
    String receiptKey = receipt ? keys.get(entries) : null;
    return new CallFrame(server, keys.subList(0, entries), receiptKey, keepUs, nowUs);
  }

  /** The bytes under a key in hexadecimal digits; null for none. */
  @Nullable String hex(String key) throws ReservationException {
    StoredValue value = server.get(key);
    return switch (value.kind()) {
      case NOTHING -> null;
      case LIST -> throw new ReservationException(ExpectedOutcome.WRONG_TYPE);
      case BINARY -> value.text();
      case STRING ->
          HexFormat.of()
              .formatHex(String.valueOf(value.text()).getBytes(StandardCharsets.ISO_8859_1));
    };
  }

  /** The receipt, whether it is over or not. */
  @Nullable ReservationReceipt receipt(String problem) throws ReservationException {
    String hex = receiptKey == null ? null : hex(receiptKey);
    return hex == null ? null : ReservationReceipt.read(hex, problem);
  }

  /** True if one of the keys that hold for it was written at its end or later. */
  boolean isOver(ReservationReceipt receipt) throws ReservationException {
    boolean over = false;
    for (String key : receipt.holdingKeys()) {
      String hex = hex(key);
      over |= hex != null && HeldKey.latestUs(hex) >= receipt.untilUs();
    }
    return over;
  }

  /** The current state of an {@code r} key. */
  HeldKey held(String key, List<HeldTier> tiers) throws ReservationException {
    String hex = hex(key);
    return (hex == null ? HeldKey.unused(tiers, nowUs) : HeldKey.read(hex, tiers)).at(nowUs);
  }

  /** The time at which units held from the latest of some times on expire. */
  static long untilUs(long fromUs, long keepUs) {
    long step = Long.highestOneBit(keepUs >> HIGHEST_EIGHTH);
    return Math.floorDiv(fromUs + keepUs + step - 1, step) * step;
  }

  StoredValue stored(HeldKey key) {
    HeldKey.StoredBytes bytes = key.stored();
    return StoredValue.binary(bytes.hex(), ttlMs(bytes.mattersUs()));
  }

  StoredValue stored(ReservationReceipt receipt) {
    return StoredValue.binary(receipt.hex(), ttlMs(receipt.untilUs() - nowUs));
  }

  private static long ttlMs(long mattersUs) {
    return (mattersUs + 999) / 1000 + KEPT_MS + ProtocolBounds.PADDING_MS;
  }
}
