package io.github.penstock.operations.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.testkit.model.ScriptAlgorithm;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyNameTest {
  @ParameterizedTest
  @CsvSource({
    "b10.1.1000000, TOKEN_BUCKET",
    "i10.1.1000000, INTERVAL_BUCKET",
    "w1000000, FIXED_WINDOW",
    "s1000000, SLIDING_WINDOW"
  })
  void aMarkerTellsTheAlgorithm(String marker, ScriptAlgorithm algorithm) {
    assertThat(KeyName.parse("penstock:api:{user:42}:" + marker))
        .map(KeyName::algorithm)
        .contains(algorithm);
  }

  @Test
  void everyPart() {
    assertThat(KeyName.parse("p:api:{user:42}:b10.1.5-20.2.7"))
        .contains(
            new KeyName(
                "api",
                "user:42",
                ScriptAlgorithm.TOKEN_BUCKET,
                List.of(List.of(10L, 1L, 5L), List.of(20L, 2L, 7L))));
  }

  @ParameterizedTest
  @CsvSource({
    "rb100.10.1000000, token-bucket",
    "rw5-60, fixed-window",
    "rs5, sliding-window",
    "rc, concurrency"
  })
  void aMarkerOfReservations(String marker, String script) {
    String key = "penstock:tpm:{tenant:7}/user:42:" + marker;
    assertThat(HeldKeyName.parse(key)).map(HeldKeyName::script).contains(script);
    assertThat(HeldKeyName.parse(key)).map(HeldKeyName::subject).contains("tenant:7/user:42");
    assertThat(KeyName.parse(key)).isEmpty();
    assertThat(KeyName.isConventional(key)).isTrue();
    assertThat(KeyName.isConventional(key + "x")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "foo",
        "p:api:42:w5",
        "p:api:{42}:x5",
        "p:api:{42}:w5.1.1",
        "p:api:{42}:b5",
        "p:api:{42}:w1234567890123456",
        "p:a b:{42}:w5",
        "p:api:{}:w5"
      })
  void noneByTheConvention(String key) {
    assertThat(KeyName.parse(key)).isEmpty();
  }
}
