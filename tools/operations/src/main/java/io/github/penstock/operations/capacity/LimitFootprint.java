package io.github.penstock.operations.capacity;

import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.internal.protocol.KeyFormat;
import io.github.penstock.core.internal.protocol.LimitEncoding;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.LimitTier;
import io.github.penstock.core.limit.RefillForm;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The size of a subject under a limit on a server, and of a call on the wire. States are as long as
 * they get.
 *
 * @param limit the limit
 * @param key the key of the subject, as it is sent
 * @param stateBytes bytes of the state that the key holds
 */
public record LimitFootprint(Limit limit, String key, int stateBytes) {
  private static final int TIME_DIGITS = 16;
  private static final int MILLISECOND_DIGITS = 13;
  private static final String SHA1 = "0".repeat(40);

  /**
   * Of a limiter with the default prefix.
   *
   * @throws IllegalArgumentException if policy or subject is one that a limiter refuses
   */
  public static LimitFootprint of(Limit limit, String policy, String subject) {
    String head = RateLimiterOptions.defaults().keyPrefix(policy);
    byte[] key = new KeyFormat(head, LimitEncoding.of(limit).marker()).key(subject);
    int state = limit.tiers().size() - 1;
    for (LimitTier tier : limit.tiers()) {
      state += stateBytes(limit.kind().refill(), tier);
    }
    return new LimitFootprint(limit, new String(key, StandardCharsets.ISO_8859_1), state);
  }

  public int keyBytes() {
    return key.length();
  }

  /** Bytes of the key on a server, its share of the tables included. */
  public double bytesOn(MeasuredMemory server) {
    return server.bytes(keyBytes(), stateBytes);
  }

  /** Bytes of a call as it is sent, with a cost of 1. */
  public int requestBytes() {
    List<String> words = new ArrayList<>(List.of("EVALSHA", SHA1, "1", key, "1"));
    words.addAll(LimitEncoding.of(limit).arguments());
    return command(words.stream().map(String::length).toList());
  }

  /** Bytes of the answer at most, if the call is allowed. */
  public int replyBytes() {
    LimitTier widest = limit.tiers().get(0);
    int units = digits(widest.capacity());
    int reset = digits(widest.periodMicros());
    int tier = digits(limit.tiers().size());
    return "*6\r\n".length() + 6 * ":\r\n".length() + 1 + units + units + 1 + reset + tier;
  }

  /**
   * Bytes that an allowed call sends to each replica, and appends to the AOF, from Redis 7.0 on.
   */
  public int replicatedBytes() {
    return command(
        List.of("SET".length(), keyBytes(), stateBytes, "PXAT".length(), MILLISECOND_DIGITS));
  }

  private static int command(List<Integer> lengths) {
    int bytes = ("*" + lengths.size() + "\r\n").length();
    for (int length : lengths) {
      bytes += ("$" + length + "\r\n").length() + length + "\r\n".length();
    }
    return bytes;
  }

  private static int stateBytes(RefillForm form, LimitTier tier) {
    int used = digits(tier.capacity());
    return switch (form) {
      case AT_END, IN_BATCHES -> TIME_DIGITS + 1 + used;
      case FADING -> TIME_DIGITS + 2 + 2 * used;
      // A unit that takes whole microseconds leaves no remainder.
      case EVENLY ->
          tier.periodMicros() % tier.units() == 0
              ? TIME_DIGITS
              : TIME_DIGITS + 1 + digits(tier.units() - 1);
    };
  }

  private static int digits(long number) {
    return String.valueOf(number).length();
  }
}
