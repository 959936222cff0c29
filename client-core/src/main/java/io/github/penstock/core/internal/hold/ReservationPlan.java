package io.github.penstock.core.internal.hold;

import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.UnreadableReplyException;
import io.github.penstock.core.internal.protocol.KeyFormat;
import io.github.penstock.core.internal.protocol.LimitEncoding;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.reserve.CallId;
import io.github.penstock.core.reserve.EntryCost;
import io.github.penstock.core.reserve.EntryCost.Mode;
import io.github.penstock.core.reserve.EntryUsage;
import io.github.penstock.core.reserve.ReservationAnswer;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptCall.Verb;
import io.github.penstock.core.spi.time.TimeSource;
import io.github.penstock.scripts.ReservationScript;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One call under several limits: its keys and arguments, the calls that settle it, and how their
 * replies are read. Immutable.
 */
final class ReservationPlan {
  private static final int MOST_ENTRIES = 8;
  private static final int HEAD = 4;
  private static final int NUMBERS = 5;
  private final Verb verb;
  private final TimeSource time;
  private final CallId id;
  private final String group;
  private final List<EntryCost> entries;
  private final List<byte[]> keys = new ArrayList<>();
  private final List<byte[]> holding = new ArrayList<>();
  private final byte[][] arguments;

  /**
   * The call.
   *
   * @throws IllegalArgumentException if the entries or the group are not as {@code Reservations}
   *     says
   */
  ReservationPlan(
      RateLimiterOptions options,
      long keepMicros,
      TimeSource time,
      CallId id,
      String group,
      EntryCost... entries) {
    verb = options.functions() ? Verb.FCALL : Verb.EVALSHA;
    this.time = time;
    this.id = id;
    this.group = group;
    this.entries = List.of(entries);
    if (this.entries.isEmpty() || this.entries.size() > MOST_ENTRIES) {
      throw new IllegalArgumentException("entries must be 1 to 8: " + this.entries);
    }
    List<String> words = new ArrayList<>(List.of(Long.toString(keepMicros), "0"));
    for (EntryCost entry : this.entries) {
      add(entry, options, words);
    }
    if (keys.stream().map(ByteBuffer::wrap).distinct().count() < keys.size()) {
      throw new IllegalArgumentException("entries must have different keys: " + this.entries);
    }
    byte[] receipt = new KeyFormat(options.prefix() + ":", id.text()).key(group);
    keys.add(receipt);
    holding.add(receipt);
    arguments = bytes(words);
  }

  private void add(EntryCost entry, RateLimiterOptions options, List<String> words) {
    Limit limit = entry.limit().rate();
    LimitEncoding rate = limit == null ? null : LimitEncoding.of(limit);
    String marker = (entry.mode() == Mode.CHARGE ? "" : "r") + (rate == null ? "c" : rate.marker());
    byte[] key =
        new KeyFormat(options.keyPrefix(entry.limit().policy()), marker).key(group, entry.within());
    keys.add(key);
    if (entry.mode() == Mode.RESERVE) {
      holding.add(key);
    }
    words.add(entry.mode().name().toLowerCase(Locale.ROOT));
    words.add(rate == null ? "concurrency" : rate.script().scriptName());
    words.add(Long.toString(entry.units()));
    words.add(Integer.toString(limit == null ? 1 : limit.tiers().size()));
    words.addAll(rate == null ? List.of(Long.toString(entry.limit().places())) : rate.arguments());
  }

  CallId id() {
    return id;
  }

  String group() {
    return group;
  }

  List<EntryCost> entries() {
    return entries;
  }

  /** The entries that reserve, in their order: each has a total. */
  List<EntryCost> holders() {
    return entries.stream().filter(entry -> entry.mode() == Mode.RESERVE).toList();
  }

  ScriptCall reserve(long deadlineNanos) {
    return call(ReservationScript.RESERVE, keys, arguments, deadlineNanos);
  }

  /** Settles it: {@code keepMicros} 0 ends it. */
  ScriptCall settle(long keepMicros, List<Long> totals, long deadlineNanos) {
    List<String> words = new ArrayList<>(List.of(Long.toString(keepMicros), "0"));
    totals.forEach(total -> words.add(Long.toString(total)));
    return call(ReservationScript.SETTLE, holding, bytes(words), deadlineNanos);
  }

  private ScriptCall call(
      ReservationScript script, List<byte[]> on, byte[][] words, long deadlineNanos) {
    byte[][] more = on.subList(1, on.size()).toArray(byte[][]::new);
    return new ScriptCall(verb, script, on.get(0), more, words, deadlineNanos, time);
  }

  /** Reads the reply of {@link #reserve}. */
  ReservationAnswer answer(List<?> reply) {
    try {
      requireSize(reply, HEAD + NUMBERS * entries.size());
      List<EntryUsage> usages = new ArrayList<>();
      for (EntryCost entry : entries) {
        int at = HEAD + NUMBERS * usages.size();
        usages.add(
            new EntryUsage(
                entry,
                number(reply, at),
                number(reply, at + 1),
                number(reply, at + 2),
                number(reply, at + 3),
                tier(entry, number(reply, at + 4))));
      }
      int denying = Math.toIntExact(number(reply, 2)) - 1;
      boolean repeated = flag(reply, 3);
      return new ReservationAnswer(
          id, flag(reply, 0), true, repeated, number(reply, 1), denying, usages);
    } catch (ClassCastException | ArithmeticException | IllegalArgumentException e) {
      throw unreadable(ReservationScript.RESERVE, keys, reply, e);
    }
  }

  /** Returns whether a reply of {@link #settle} says that it is done. */
  boolean settled(List<?> reply) {
    try {
      requireSize(reply, 1 + NUMBERS * (holding.size() - 1));
      return flag(reply, 0);
    } catch (ClassCastException | IllegalArgumentException e) {
      throw unreadable(ReservationScript.SETTLE, holding, reply, e);
    }
  }

  private static UnreadableReplyException unreadable(
      ReservationScript script, List<byte[]> on, List<?> reply, Exception why) {
    String key = new String(on.get(0), StandardCharsets.UTF_8);
    return new UnreadableReplyException(script.scriptName(), key, reply, why);
  }

  private static void requireSize(List<?> reply, int size) {
    if (reply.size() != size) {
      throw new IllegalArgumentException("reply must have " + size + " integers");
    }
  }

  private static int tier(EntryCost entry, long tier) {
    Limit rate = entry.limit().rate();
    if (tier > (rate == null ? 1 : rate.tiers().size())) {
      throw new IllegalArgumentException("there is no tier " + tier + " of " + entry.limit());
    }
    return (int) tier;
  }

  private static boolean flag(List<?> reply, int index) {
    long flag = number(reply, index);
    if (flag != 0 && flag != 1) {
      throw new IllegalArgumentException("integer " + index + " must be 0 or 1: " + flag);
    }
    return flag == 1;
  }

  private static long number(List<?> reply, int index) {
    return (Long) reply.get(index);
  }

  private static byte[][] bytes(List<String> words) {
    return words.stream()
        .map(word -> word.getBytes(StandardCharsets.US_ASCII))
        .toArray(byte[][]::new);
  }
}
