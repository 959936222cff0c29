package io.github.penstock.compat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.penstock.compat.script.LimitSetting;
import io.github.penstock.compat.vectors.KeyExample;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.internal.protocol.KeyFormat;
import io.github.penstock.core.internal.protocol.LimitEncoding;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The Java core names keys as the published examples do. */
class CoreKeysTest {

  static Stream<KeyExample> examples() {
    return KeyExample.all().stream().filter(example -> example.subject() != null);
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
    String marker =
        LimitEncoding.of(LimitSetting.limit(example.script(), example.tiers())).marker();
    RateLimiterOptions options = RateLimiterOptions.builder().prefix(example.prefix()).build();
    KeyFormat format = new KeyFormat(options.keyPrefix(example.policy()), marker);
    return new String(format.key(example.subject()), StandardCharsets.UTF_8);
  }
}
