package io.github.penstock.core.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.gson.Gson;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.IntervalBucket;
import io.github.penstock.core.limit.LeakyBucket;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.LimitTier;
import io.github.penstock.core.limit.SlidingWindow;
import io.github.penstock.core.limit.TokenBucket;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Replays the published keys. Those whose subject's bytes are no UTF-8 are left out: there is no
 * Java text for them; {@link KeyFormatTest} has halves of surrogate pairs instead.
 */
class KeyVectorsTest {
  record Vector(
      String prefix,
      String policy,
      String subject,
      String script,
      long[][] tiers,
      String key,
      String error) {}

  record Vectors(List<Vector> keys) {}

  static Stream<Vector> vectors() throws IOException {
    String json = Files.readString(Path.of("../lua/vectors/keys.json"));
    return new Gson().fromJson(json, Vectors.class).keys.stream().filter(v -> v.subject != null);
  }

  @ParameterizedTest
  @MethodSource("vectors")
  @DisplayName("P13 every published key")
  void key(Vector vector) {
    if (vector.error != null) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> built(vector))
          .withMessageStartingWith(vector.error + " must ");
    } else {
      assertThat(built(vector)).isEqualTo(vector.key);
    }
  }

  private static String built(Vector vector) {
    RateLimiterOptions options = RateLimiterOptions.builder().prefix(vector.prefix).build();
    KeyFormat keys =
        new KeyFormat(options.keyPrefix(vector.policy), LimitEncoding.of(limit(vector)).marker());
    return new String(keys.key(vector.subject), StandardCharsets.UTF_8);
  }

  private static Limit limit(Vector vector) {
    List<LimitTier> tiers = Arrays.stream(vector.tiers).map(KeyVectorsTest::tier).toList();
    return switch (vector.script) {
      case "fixed-window" -> new FixedWindow(tiers);
      case "token-bucket" -> new TokenBucket(tiers);
      case "leaky-bucket" -> new LeakyBucket(tiers);
      case "sliding-window" -> new SlidingWindow(tiers);
      case "interval-bucket" -> new IntervalBucket(tiers);
      default -> throw new IllegalArgumentException(vector.script);
    };
  }

  /* Two numbers for a window, three for a bucket. */
  private static LimitTier tier(long[] numbers) {
    int last = numbers.length - 1;
    return new LimitTier(numbers[0], numbers[last - 1], micros(numbers[last]));
  }

  private static Duration micros(long micros) {
    return Duration.of(micros, ChronoUnit.MICROS);
  }
}
