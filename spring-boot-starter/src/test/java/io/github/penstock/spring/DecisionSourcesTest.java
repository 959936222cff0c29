package io.github.penstock.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import java.net.http.HttpResponse;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.context.ConfigurableApplicationContext;

/** Each source of a decision, over HTTP on each client, and in each form of the fields. */
class DecisionSourcesTest {
  private static final String SECONDS = "[1-9][0-9]{0,3}";

  private HttpCaller http;
  private String form;

  @ParameterizedTest
  @DisplayName("a decision has the fields of its source; those of a share have the share's numbers")
  @CsvSource({
    "lettuce, draft-11",
    "jedis, draft-07",
    "redisson, draft-06",
    "lettuce, x-rate-limit",
    "jedis, none"
  })
  void sources(String client, String headers) {
    form = headers;
    try (ServerProcess redis = new EmbeddedServer().start();
        ConfigurableApplicationContext context =
            GreetingApplication.start(
                client,
                "--spring.config.name=sources",
                "--spring.data.redis.port=" + redis.url().port(),
                "--penstock.headers=" + form)) {
      http = GreetingApplication.caller(context);
      for (int left = 3; left >= 0; left--) {
        decided("asked", 200, left, 4); // SERVER
      }
      decided("asked", 429, 0, 4);
      decided("asked", 429, 0, 4); // REMEMBERED
      decided("leased", 200, 3, 4);
      decided("leased", 200, 2, 4); // LEASED
      redis.call("CONFIG", "SET", "maxmemory", "1");
      undecided("full", 503); // OVERLOADED
      redis.kill();
      decided("local", 200, 1, 2); // LOCAL
      decided("local", 200, 0, 2);
      decided("local", 429, 0, 2);
      undecided("opened", 200); // UNAVAILABLE
      undecided("closed", 503);
    }
  }

  private void decided(String policy, int status, long remaining, long limit) {
    Map<String, String> expected = new TreeMap<>(policy(policy, limit));
    switch (form) {
      case "draft-11" ->
          expected.put("ratelimit", "\"%s\";r=%d;t=%s".formatted(policy, remaining, SECONDS));
      case "draft-07" ->
          expected.put(
              "ratelimit", "limit=%d, remaining=%d, reset=%s".formatted(limit, remaining, SECONDS));
      case "draft-06", "x-rate-limit" -> {
        String name = form.equals("draft-06") ? "ratelimit-" : "x-ratelimit-";
        expected.put(name + "limit", "" + limit);
        expected.put(name + "remaining", "" + remaining);
        expected.put(name + "reset", SECONDS);
      }
      default -> {}
    }
    answers(policy, status, expected);
  }

  private void undecided(String policy, int status) {
    answers(policy, status, policy(policy, 4));
  }

  private Map<String, String> policy(String policy, long limit) {
    return switch (form) {
      case "draft-11" -> Map.of("ratelimit-policy", "\"%s\";q=%d;w=3600".formatted(policy, limit));
      case "draft-07", "draft-06" -> Map.of("ratelimit-policy", limit + ";w=3600");
      default -> Map.of();
    };
  }

  private void answers(String policy, int status, Map<String, String> expected) {
    HttpResponse<String> response = http.get("/" + policy);
    Map<String, String> fields = new TreeMap<>();
    response
        .headers()
        .map()
        .forEach(
            (name, values) -> {
              String lower = name.toLowerCase(Locale.ROOT);
              if (lower.contains("ratelimit") || lower.equals("retry-after")) {
                fields.put(lower, String.join(" and ", values));
              }
            });
    assertThat(response.statusCode()).as(policy + fields).isEqualTo(status);
    Map<String, String> all = new TreeMap<>(expected);
    if (status != 200) {
      all.put("retry-after", SECONDS);
      assertThat(response.body())
          .contains(status == 429 ? "quota-exceeded" : "temporary-reduced-capacity");
    }
    assertThat(fields.keySet()).as(policy).isEqualTo(all.keySet());
    all.forEach((name, value) -> assertThat(fields.get(name)).as(policy).matches(value));
  }
}
