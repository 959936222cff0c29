package io.github.penstock.operations.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyNameTest {
  @ParameterizedTest
  @CsvSource({
    "b10.1.1000000, token-bucket",
    "i10.1.1000000, interval-bucket",
    "w1000000, fixed-window",
    "s1000000, sliding-window",
    "rb100.10.1000000, token-bucket",
    "rw5-60, fixed-window",
    "rs5, sliding-window",
    "rc, concurrency"
  })
  void aMarkerTellsTheScript(String marker, String script) {
    String key = "penstock:tpm:{tenant:7}/user:42:" + marker;
    KeyName name = KeyName.parse(key).orElseThrow();
    assertThat(name.script()).isEqualTo(script);
    assertThat(name.subject()).isEqualTo("tenant:7/user:42");
    assertThat(name.held()).isEqualTo(marker.startsWith("r"));
    assertThat(KeyName.parse(key + "x")).isEmpty();
  }

  @Test
  void everyPart() {
    assertThat(KeyName.parse("p:api:{user:42}:b10.1.5-20.2.7"))
        .contains(
            new KeyName(
                "api",
                "user:42",
                false,
                "token-bucket",
                List.of(List.of(10L, 1L, 5L), List.of(20L, 2L, 7L))));
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
