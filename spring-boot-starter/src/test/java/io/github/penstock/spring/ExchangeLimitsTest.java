package io.github.penstock.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The rules on WebFlux and Netty. */
class ExchangeLimitsTest extends HttpLimitRules {
  @Override
  Class<?> application() {
    return ReactiveApplication.class;
  }

  @Override
  List<String> arguments() {
    return ReactiveApplication.ARGUMENTS;
  }

  @Test
  @DisplayName("a request goes on on a thread of Reactor's, not on the client's")
  void threads() {
    assertThat(http.get("/threads").body()).startsWith("parallel-");
  }
}
