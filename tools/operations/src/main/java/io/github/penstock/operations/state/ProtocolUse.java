package io.github.penstock.operations.state;

import io.github.penstock.core.internal.protocol.LimitEncoding;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.report.text.SafeText;
import io.github.penstock.scripts.LuaScript;
import io.github.penstock.testkit.model.ExactModel;
import io.github.penstock.testkit.model.ExpectedOutcome;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import io.github.penstock.testkit.model.StoredValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The meaning of the state of a protocol script, by the exact model.
 *
 * @param tiers the numbers of each; of a window the limit may be missing
 */
public record ProtocolUse(ScriptAlgorithm algorithm, List<List<Long>> tiers) {
  private static final int LONGEST = 400;

  public ProtocolUse {
    tiers = List.copyOf(tiers);
  }

  /**
   * The script and the numbers that the name of a key says.
   *
   * @throws UserErrorException if it does not follow the convention
   */
  public static ProtocolUse named(String key) {
    return KeyName.parse(key)
        .filter(known -> !known.held())
        .map(known -> new ProtocolUse(ScriptAlgorithm.named(known.script()), known.tiers()))
        .orElseThrow(
            () ->
                new UserErrorException(
                    "'%s' does not follow the protocol's convention for keys: give --limit."
                        .formatted(SafeText.terminal(key, LONGEST))));
  }

  /** Returns whether a key that follows the convention is of a limit. */
  public static boolean isOf(Limit limit, String key) {
    return key.endsWith(":" + LimitEncoding.of(limit).marker());
  }

  /**
   * Those of a limit.
   *
   * @throws UserErrorException if the key follows the convention, and is of another limit
   */
  public static ProtocolUse under(Limit limit, String key) {
    LimitEncoding encoding = LimitEncoding.of(limit);
    if (KeyName.parse(key).isPresent() && !isOf(limit, key)) {
      throw new UserErrorException(
          "a key of that limit ends in :%s: correct --limit, or the key."
              .formatted(encoding.marker()));
    }
    ScriptAlgorithm algorithm = ScriptAlgorithm.named(encoding.script().scriptName());
    int width = algorithm.tierArguments().size();
    List<Long> numbers = encoding.arguments().stream().map(Long::valueOf).toList();
    List<List<Long>> tiers =
        IntStream.range(0, numbers.size() / width)
            .mapToObj(tier -> numbers.subList(tier * width, (tier + 1) * width))
            .toList();
    return new ProtocolUse(algorithm, tiers);
  }

  /**
   * Reads a stored value.
   *
   * @param stored null for nothing
   * @throws UserErrorException if that setting does not write such a value
   */
  public List<TierUse> at(long nowUs, @Nullable String stored) {
    String[] fields = stored == null ? new String[tiers.size()] : stored.split(" ", -1);
    if (fields.length != tiers.size()) {
      throw foreign();
    }
    List<TierUse> uses = new ArrayList<>();
    for (int i = 0; i < fields.length; i++) {
      uses.add(use(tiers.get(i), fields[i], nowUs));
    }
    return uses;
  }

  /** The reply to a call of cost 1 at this time; empty if a limit is not known. */
  public List<Long> oneCall(long nowUs, @Nullable String stored) {
    boolean limitless =
        tiers.stream().anyMatch(tier -> tier.size() < algorithm.tierArguments().size());
    return limitless ? List.of() : reply(1, tiers, stored, nowUs);
  }

  private TierUse use(List<Long> tier, @Nullable String field, long nowUs) {
    boolean limitless = tier.size() < algorithm.tierArguments().size();
    // A limit that was lowered may be exceeded, and a reply does not tell by how much.
    List<Long> counted = reply(0, List.of(endless(tier)), field, nowUs);
    Long remaining = limitless ? null : Long.valueOf(reply(0, List.of(tier), field, nowUs).get(2));
    return TierUse.exact(
        counted.get(1) - counted.get(2), remaining, counted.get(3), counted.get(4));
  }

  /* The numbers that the key does not tell are as large as they can be. */
  private List<Long> endless(List<Long> tier) {
    LuaScript script = LuaScript.valueOf(algorithm.name());
    int marked = script.marker().numbers().size();
    return Stream.concat(
            Collections.nCopies(script.tier().size() - marked, Limit.MAX_UNITS).stream(),
            tier.subList(tier.size() - marked, tier.size()).stream())
        .toList();
  }

  private List<Long> reply(long cost, List<List<Long>> of, @Nullable String field, long nowUs) {
    List<String> arguments =
        Stream.of(Stream.of(cost), of.stream().flatMap(List::stream), Stream.of(nowUs))
            .flatMap(numbers -> numbers)
            .map(String::valueOf)
            .toList();
    StoredValue stored =
        field == null ? StoredValue.NOTHING : StoredValue.string(field, StoredValue.ENDLESS);
    ExpectedOutcome outcome = ExactModel.of(algorithm).call(List.of("k"), arguments, stored, nowUs);
    if ("state".equals(outcome.error())) {
      throw foreign();
    }
    if (outcome.error() != null) {
      throw new UserErrorException(
          "%s is out of the protocol's bounds for %s: correct the key's name."
              .formatted(outcome.error(), algorithm.scriptName()));
    }
    return outcome.reply();
  }

  private UserErrorException foreign() {
    return new UserErrorException(
        "the key holds what %s with these numbers does not write, so calls on it fail with `state`: correct --limit, or reset the key."
            .formatted(algorithm.scriptName()));
  }
}
