package io.github.penstock.redisson;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.compat.failure.ErrorVectors;
import io.github.penstock.compat.failure.ErrorVectors.ErrorCase;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.redisson.client.RedisException;

class RedissonFailuresTest {
  static Stream<ErrorCase> cases() {
    return ErrorVectors.cases("redisson");
  }

  @ParameterizedTest
  @MethodSource("cases")
  @DisplayName("a text of errors.json is of its class")
  void classified(ErrorCase given) {
    String text = given.text() + ". channel: [id: 0x1, L:/127.0.0.1:1 - R:127.0.0.1/127.0.0.1:2]";
    assertThat(ErrorCase.found(RedissonFailures.of(new RedisException(text))))
        .isEqualTo(given.kind());
  }
}
