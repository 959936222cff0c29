package io.github.penstock.benchmarks.flood;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FloodClientTest {
  private static final int CALLS = 50;

  @AutoClose private final ServerProcess server = new EmbeddedServer().start();

  @ParameterizedTest
  @ValueSource(strings = {"jedis", "lettuce", "lettuce stages", "redisson", "redisson stages"})
  @DisplayName("each form makes all calls, and the server decides them")
  void decided(String form) throws Exception {
    JsonObject said = flood(form, false, "");
    assertThat(said.get("allowed").getAsInt()).isEqualTo(20);
    assertThat(said.get("denied_by_server").getAsInt()).isEqualTo(CALLS - 20);
    assertThat(said.get("decided").getAsInt()).isEqualTo(CALLS);
    assertThat(said.get("slowest_ms").getAsDouble()).isPositive();
    assertThat(said.has("each")).isFalse();
  }

  @Test
  @DisplayName("calls that are spread over a time are listed one by one")
  void seconds() throws Exception {
    JsonObject said = flood("jedis", false, ", \"seconds\": 0.1");
    assertThat(said.get("each").getAsJsonArray()).hasSize(CALLS);
    assertThat(said.get("each").getAsJsonArray().get(0).getAsJsonArray().get(2).getAsString())
        .isEqualTo("decided");
  }

  @ParameterizedTest
  @ValueSource(strings = {"jedis", "lettuce stages"})
  @DisplayName("callers in a closed loop are decided")
  void callers(String form) throws Exception {
    JsonObject said = flood(form, false, ", \"seconds\": 0.1, \"callers\": 16, \"shares\": true");
    assertThat(said.get("decided").getAsInt()).isGreaterThan(16);
    assertThat(said.get("lost").getAsInt()).isZero();
    assertThat(said.get("slowest_ms").getAsDouble())
        .isGreaterThanOrEqualTo(said.get("median_ms").getAsDouble());
  }

  @ParameterizedTest
  @ValueSource(strings = {"jedis", "lettuce", "lettuce stages", "redisson", "redisson stages"})
  @DisplayName("the raw client of each form makes all calls, and the server answers them")
  void raw(String form) throws Exception {
    JsonObject said = flood(form, true, "");
    assertThat(said.get("decided").getAsInt()).isEqualTo(CALLS);
    assertThat(said.get("allowed").getAsInt()).isZero();
  }

  private JsonObject flood(String form, boolean raw, String more) throws Exception {
    return JsonParser.parseString(FloodClient.flood(order(form, raw, more))).getAsJsonObject();
  }

  private String order(String form, boolean raw, String more) {
    String address = server.url().host() + ":" + server.url().port();
    return Stream.of(
            "{\"address\": \"%s\", \"kind\": \"single\", \"calls\": %d, \"deadline_ms\": 60000,",
            " \"warm\": false, \"limit\": 20, \"form\": \"%s\", \"raw\": %s%s}")
        .reduce("", String::concat)
        .formatted(address, CALLS, form, raw, more);
  }
}
