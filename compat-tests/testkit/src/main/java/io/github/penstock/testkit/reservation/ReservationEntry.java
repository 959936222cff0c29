package io.github.penstock.testkit.reservation;

import static io.github.penstock.testkit.reservation.ReservationException.require;

import io.github.penstock.testkit.model.LuaNumber;
import io.github.penstock.testkit.model.ProtocolBounds;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One limit in a call.
 *
 * @param script its name, {@code concurrency} among them
 * @param numbers those of its tiers, as they were given
 */
record ReservationEntry(String mode, String script, long cost, List<String> numbers) {
  static final String CONCURRENCY = "concurrency";
  private static final List<String> MODES = List.of("charge", "reserve", "debit");
  private static final List<String> HELD =
      List.of("token-bucket", "fixed-window", "sliding-window");
  private static final long MOST = 1_000_000_000_000L;
  private static final int HEAD = 4;
  private static final int MOST_TIERS = 16;

  /** Reads the entry whose arguments begin at an index; an empty name says that some lack. */
  static ReservationEntry read(List<String> arguments, int at, long keepUs, @Nullable Boolean peeks)
      throws ReservationException {
    String mode = given(arguments, at);
    require(MODES.contains(mode), "mode");
    String script = given(arguments, at + 1);
    int width = width(mode, script);
    require(width > 0, "script");
    long cost = integer(given(arguments, at + 2), "cost", 0, MOST);
    require(peeks == null || peeks == (cost == 0), "cost");
    require(cost > 0 || keepUs == 0, "cost");
    require(cost == 0 || keepUs > 0 || !mode.equals("reserve"), "cost");
    long tiers = integer(given(arguments, at + 3), "tiers", 1, width == 1 ? 1 : MOST_TIERS);
    int end = at + HEAD + (int) tiers * width;
    require(end <= arguments.size(), "");
    return new ReservationEntry(mode, script, cost, arguments.subList(at + HEAD, end));
  }

  private static String given(List<String> arguments, int at) throws ReservationException {
    require(at < arguments.size(), "");
    return arguments.get(at);
  }

  private static int width(String mode, String script) {
    if (script.equals(CONCURRENCY)) {
      return mode.equals("reserve") ? 1 : 0;
    }
    boolean known =
        mode.equals("charge")
            ? Arrays.stream(ScriptAlgorithm.values()).anyMatch(a -> a.scriptName().equals(script))
            : HELD.contains(script);
    return known ? ScriptAlgorithm.named(script).tierArguments().size() : 0;
  }

  static long integer(String text, String name, long least, long greatest)
      throws ReservationException {
    OptionalLong value = LuaNumber.integer(text);
    require(value.isPresent(), name);
    require(value.getAsLong() >= least && value.getAsLong() <= greatest, name);
    return value.getAsLong();
  }

  boolean charges() {
    return mode.equals("charge");
  }

  boolean reserves() {
    return mode.equals("reserve");
  }

  boolean isConcurrency() {
    return script.equals(CONCURRENCY);
  }

  /** How many arguments it has. */
  int size() {
    return HEAD + numbers.size();
  }

  /** The tiers of an entry on an {@code r} key. */
  List<HeldTier> tiers() throws ReservationException {
    List<HeldTier> tiers = new ArrayList<>();
    int width = width(mode, script);
    for (int i = 0; i < numbers.size(); i += width) {
      tiers.add(tier(numbers.subList(i, i + width)));
    }
    return tiers;
  }

  private HeldTier tier(List<String> texts) throws ReservationException {
    if (script.equals("token-bucket")) {
      return HeldTier.bucket(
          integer(texts.get(0), "capacity", 1, MOST),
          integer(texts.get(1), "refill_tokens", 1, MOST),
          integer(texts.get(2), "refill_period_us", 1, ProtocolBounds.LONGEST_US));
    }
    long limit = integer(texts.get(0), "limit", 1, MOST);
    if (isConcurrency()) {
      return new HeldTier(HeldTier.Kind.CONCURRENCY, limit, 0, 0);
    }
    long windowUs = integer(texts.get(1), "window_us", 1, ProtocolBounds.LONGEST_US);
    boolean slides = script.equals("sliding-window");
    HeldTier.Kind kind = slides ? HeldTier.Kind.SLIDING_WINDOW : HeldTier.Kind.FIXED_WINDOW;
    return new HeldTier(kind, limit, 0, windowUs);
  }
}
