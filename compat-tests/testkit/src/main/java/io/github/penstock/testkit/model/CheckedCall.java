package io.github.penstock.testkit.model;

import static io.github.penstock.testkit.model.BadArgumentException.require;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A checked call.
 *
 * @param cost units; 0 peeks, negative gives back
 * @param calls how many such calls at once, of which as many as fit are charged; at least 1
 * @param tiers 1 to 16
 * @param nowUs the time of the call
 * @param callersTime true if the caller gave the time
 */
record CheckedCall(long cost, long calls, List<ModelTier> tiers, long nowUs, boolean callersTime) {
  private static final Pattern SEVERAL = Pattern.compile("([1-9]\\d*)\\*([1-9]\\d*)");
  private static final int FIRST_TIER = 1;

  /** Reads the arguments as a server hands them to a script. */
  static CheckedCall read(
      ScriptAlgorithm algorithm, List<String> keys, List<String> arguments, long serverTimeUs)
      throws BadArgumentException {
    require(keys.size() == 1, "key");
    int width = algorithm.tierArguments().size();
    int count = (arguments.size() - FIRST_TIER) / width;
    int surplus = (arguments.size() - FIRST_TIER) % width;
    require(count >= 1 && count <= ProtocolBounds.MOST_TIERS && surplus <= 1, "tier");
    long[] cost = cost(arguments.get(0));
    boolean callersTime = surplus == 1;
    long nowUs = callersTime ? now(arguments.get(arguments.size() - 1)) : serverTimeUs;
    List<ModelTier> tiers = new ArrayList<>();
    for (int tier = 0; tier < count; tier++) {
      int first = FIRST_TIER + tier * width;
      tiers.add(tier(algorithm, arguments.subList(first, first + width)));
    }
    return new CheckedCall(cost[0], cost[1], List.copyOf(tiers), nowUs, callersTime);
  }

  /** The cost of one call, and how many calls. */
  private static long[] cost(String text) throws BadArgumentException {
    Matcher several = SEVERAL.matcher(text);
    if (!several.matches()) {
      return new long[] {
        integer(text, "cost", -ProtocolBounds.MOST_UNITS, ProtocolBounds.MOST_UNITS), 1
      };
    }
    BigInteger each = new BigInteger(several.group(1));
    BigInteger calls = new BigInteger(several.group(2));
    BigInteger most = BigInteger.valueOf(ProtocolBounds.MOST_UNITS);
    require(each.multiply(calls).compareTo(most) <= 0, "cost");
    return new long[] {each.longValueExact(), calls.longValueExact()};
  }

  private static ModelTier tier(ScriptAlgorithm algorithm, List<String> texts)
      throws BadArgumentException {
    long[] numbers = new long[texts.size()];
    for (int i = 0; i < numbers.length; i++) {
      String name = algorithm.tierArguments().get(i);
      numbers[i] = integer(texts.get(i), name, 1, ScriptAlgorithm.greatest(name));
    }
    return algorithm.tier(numbers);
  }

  private static long now(String text) throws BadArgumentException {
    return integer(text, "now_us", ProtocolBounds.FIRST_US, ProtocolBounds.NOW_END - 1);
  }

  private static long integer(String text, String name, long least, long greatest)
      throws BadArgumentException {
    OptionalLong value = LuaNumber.integer(text);
    require(value.isPresent(), name);
    require(value.getAsLong() >= least && value.getAsLong() <= greatest, name);
    return value.getAsLong();
  }
}
