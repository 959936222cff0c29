package io.github.penstock.compat;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.penstock.core.Decision;
import io.github.penstock.core.DecisionSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;

/** What a reply tells its caller is the same in every language. */
class DecisionVectorsTest {
  @Test
  void decisions() throws IOException {
    String json = Files.readString(Path.of("..", "lua", "vectors", "decisions.json"));
    JsonArray decisions =
        JsonParser.parseString(json).getAsJsonObject().getAsJsonArray("decisions");
    assertThat(decisions).isNotEmpty().allSatisfy(each -> check(each.getAsJsonObject()));
  }

  private static void check(JsonObject expected) {
    long[] reply =
        expected.getAsJsonArray("reply").asList().stream()
            .mapToLong(JsonElement::getAsLong)
            .toArray();
    Decision decision =
        new Decision(
            reply[0] > 0,
            reply[1],
            reply[2],
            reply[3],
            reply[4],
            (int) reply[5],
            DecisionSource.SERVER);
    assertThat(decision.allowed()).isEqualTo(expected.get("allowed").getAsBoolean());
    assertThat(decision.impossible()).isEqualTo(expected.get("impossible").getAsBoolean());
    assertThat(decision.delay())
        .isEqualTo(Duration.of(expected.get("delay_us").getAsLong(), ChronoUnit.MICROS));
    JsonElement seconds = expected.get("retry_after_seconds");
    if (seconds.isJsonNull()) {
      assertThat(decision.retryAfterSeconds()).isEmpty();
    } else {
      assertThat(decision.retryAfterSeconds()).hasValue(seconds.getAsLong());
    }
  }
}
