package io.github.penstock.core.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.gson.Gson;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.internal.protocol.KeyFormat;
import io.github.penstock.core.internal.protocol.LimitEncoding;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.LimitKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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
      List<List<Long>> tiers,
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
    LimitKind kind = LimitKind.named(vector.script).orElseThrow();
    return Limit.of(kind, vector.tiers.stream().map(kind::tier).toList());
  }
}
