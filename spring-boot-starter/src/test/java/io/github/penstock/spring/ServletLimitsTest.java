package io.github.penstock.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The rules on Spring MVC. */
class ServletLimitsTest extends HttpLimitRules {
  @Override
  Class<?> application() {
    return LimitedApplication.class;
  }

  @Override
  List<String> arguments() {
    return List.of();
  }

  @Test
  @DisplayName("a request that is forwarded to another handler counts once")
  void forward() {
    String id = UUID.randomUUID().toString();
    HttpResponse<String> response = http.get("/forwarded/" + id);
    assertThat(response.body()).isEqualTo("hello");
    assertThat(HttpCaller.field(response, "RateLimit")).startsWith("\"handled\";r=1");
  }
}
