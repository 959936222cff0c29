package io.github.penstock.compat.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.compat.script.LimitSetting;
import io.github.penstock.compat.vectors.KeyExample;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.ScriptRefusedException;
import io.github.penstock.core.limit.Limit;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The keys that a client makes: as published, and never one for two subjects. */
abstract class KeyRules extends SuiteRules {
  private static final String PREFIX = "penstock";

  @Test
  @DisplayName("P13 the published examples of keys")
  void examples() {
    trial().requireOurs();
    List<KeyExample> examples =
        KeyExample.all().stream()
            .filter(
                example -> example.prefix().equals(PREFIX) && !"subject".equals(example.error()))
            .toList();
    assertThat(examples).isNotEmpty();
    try (RateLimiters limiters =
        trial().connect(AdapterTrial.OPTIONS.toBuilder().prefix(PREFIX).build())) {
      examples.forEach(example -> check(limiters, example));
    }
  }

  private void check(RateLimiters limiters, KeyExample example) {
    Limit limit = LimitSetting.limit(example.script(), example.tiers());
    String key = example.key();
    if (key == null) {
      assertThatThrownBy(() -> limiters.limiter(example.policy(), limit))
          .as(example.toString())
          .isInstanceOf(IllegalArgumentException.class);
      return;
    }
    RateLimiter limiter = limiters.limiter(example.policy(), limit);
    trial().server().call("SET", key, "17", "EX", "60");
    assertThatThrownBy(() -> limiter.tryAcquire(subject(example)))
        .as("a call for the key %s, which holds a foreign value", key)
        .isInstanceOf(ScriptRefusedException.class)
        .hasMessageContaining("state must");
    trial().server().call("DEL", key);
  }

  private static String subject(KeyExample example) {
    byte[] bytes = HexFormat.of().parseHex(example.subjectHex());
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
