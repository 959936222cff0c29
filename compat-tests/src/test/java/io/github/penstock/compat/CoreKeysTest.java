package io.github.penstock.compat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.penstock.compat.vectors.KeyExample;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.engine.KeyFormat;
import io.github.penstock.core.engine.LimitEncoding;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.LeakyBucket;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.TokenBucket;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The Java core names keys as the published examples do. */
class CoreKeysTest {

  static Stream<KeyExample> examples() {
    return KeyExample.all().stream().filter(example -> subject(example) != null);
  }

  @ParameterizedTest
  @MethodSource("examples")
  @DisplayName("P13 keys are those of the published examples")
  void keys(KeyExample example) {
    if (example.key() == null) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> key(example))
          .withMessageStartingWith(example.error() + " must ");
    } else {
      assertThat(key(example)).isEqualTo(example.key());
    }
  }

  private static String key(KeyExample example) {
    String marker = LimitEncoding.of(limit(example.script(), example.tiers())).marker();
    RateLimiterOptions options = RateLimiterOptions.builder().prefix(example.prefix()).build();
    KeyFormat format = new KeyFormat(options.keyPrefix(example.policy()), marker);
    return new String(format.key(subject(example)), StandardCharsets.UTF_8);
  }

  private static Limit limit(ScriptAlgorithm script, List<List<Long>> tiers) {
    return switch (script) {
      case FIXED_WINDOW ->
          tiers.stream()
              .map(tier -> FixedWindow.of(tier.get(0), micros(tier.get(1))))
              .reduce(FixedWindow::and)
              .orElseThrow();
      case TOKEN_BUCKET ->
          tiers.stream()
              .map(tier -> TokenBucket.of(tier.get(0)).refill(tier.get(1), micros(tier.get(2))))
              .reduce(TokenBucket::and)
              .orElseThrow();
      case LEAKY_BUCKET ->
          tiers.stream()
              .map(tier -> LeakyBucket.of(tier.get(0)).leak(tier.get(1), micros(tier.get(2))))
              .reduce(LeakyBucket::and)
              .orElseThrow();
    };
  }

  private static Duration micros(long us) {
    return Duration.of(us, ChronoUnit.MICROS);
  }

  private static @Nullable String subject(KeyExample example) {
    try {
      ByteBuffer bytes = ByteBuffer.wrap(HexFormat.of().parseHex(example.subjectHex()));
      return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
    } catch (CharacterCodingException illFormed) {
      return null;
    }
  }
}
