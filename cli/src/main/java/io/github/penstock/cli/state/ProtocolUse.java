package io.github.penstock.cli.state;

import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.testkit.model.ExactModel;
import io.github.penstock.testkit.model.ExpectedOutcome;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import io.github.penstock.testkit.model.StoredValue;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The meaning of the state of a protocol script, by the exact model.
 *
 * @param tiers the numbers of each; of a window the limit may be missing
 */
public record ProtocolUse(ScriptAlgorithm algorithm, List<List<Long>> tiers) {
  private static final long UNKNOWN_LIMIT = 1_000_000_000_000L;

  /** Copies the list. */
  public ProtocolUse {
    tiers = List.copyOf(tiers);
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

  private TierUse use(List<Long> tier, @Nullable String field, long nowUs) {
    boolean limitless = tier.size() < algorithm.tierArguments().size();
    List<Long> endless = List.of(UNKNOWN_LIMIT, tier.get(tier.size() - 1));
    // A limit that was lowered may be exceeded, and a reply does not tell by how much.
    List<Long> counted = peek(algorithm.isWindow() ? endless : tier, field, nowUs);
    Long remaining = limitless ? null : Long.valueOf(peek(tier, field, nowUs).get(2));
    return TierUse.exact(
        counted.get(1) - counted.get(2), remaining, counted.get(3), counted.get(4));
  }

  private List<Long> peek(List<Long> tier, @Nullable String field, long nowUs) {
    LongStream numbers = tier.stream().mapToLong(Long::longValue);
    List<String> arguments =
        Stream.of(LongStream.of(0), numbers, LongStream.of(nowUs))
            .flatMap(LongStream::boxed)
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
