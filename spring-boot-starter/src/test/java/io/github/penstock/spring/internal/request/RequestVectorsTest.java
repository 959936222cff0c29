package io.github.penstock.spring.internal.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.Limits;
import io.github.penstock.spring.internal.subject.AddressSubject;
import io.github.penstock.spring.internal.subject.HeaderSubject;
import io.github.penstock.spring.internal.subject.SubjectText;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** lua/vectors/requests.json, but for proxies: the server says where a request comes from. */
class RequestVectorsTest {
  private static final Path VECTORS = Path.of("..", "lua", "vectors", "requests.json");

  private static JsonArray vectors(String name) throws IOException {
    JsonArray vectors =
        JsonParser.parseString(Files.readString(VECTORS)).getAsJsonObject().getAsJsonArray(name);
    assertThat(vectors).isNotEmpty();
    return vectors;
  }

  @Test
  @DisplayName("the subject of an address")
  void addresses() throws IOException {
    int replayed = 0;
    for (JsonElement each : vectors("addresses")) {
      JsonObject vector = each.getAsJsonObject();
      if (vector.getAsJsonArray("forwarded").isEmpty()) {
        JsonElement connection = vector.get("connection");
        assertThat(AddressSubject.of(connection.isJsonNull() ? null : connection.getAsString()))
            .as(vector.get("name").getAsString())
            .isEqualTo(vector.get("subject").getAsString());
        replayed++;
      }
    }
    assertThat(replayed).isGreaterThan(15);
  }

  @Test
  @DisplayName("the subject of a header's value")
  void headers() throws IOException {
    for (JsonElement each : vectors("headers")) {
      JsonObject vector = each.getAsJsonObject();
      assertThat(HeaderSubject.of(vector.get("value").getAsString()))
          .isEqualTo(vector.get("subject").getAsString());
    }
  }

  @Test
  @DisplayName("the subject that a value is")
  void subjects() throws IOException {
    for (JsonElement each : vectors("subjects")) {
      JsonObject vector = each.getAsJsonObject();
      JsonElement subject = vector.get("subject");
      assertThat(SubjectText.of(java(vector.get("given")), "of a vector"))
          .as(vector.toString())
          .isEqualTo(subject.isJsonNull() ? null : subject.getAsString());
    }
  }

  @Test
  @DisplayName("what is charged for a cost")
  void costs() throws IOException {
    for (JsonElement each : vectors("costs")) {
      JsonObject vector = each.getAsJsonObject();
      assertThat(RequestCost.units(java(vector.get("given")), "of a vector"))
          .as(vector.toString())
          .isEqualTo(vector.get("charged").getAsLong());
    }
  }

  @Test
  @DisplayName("a whole number of any type of Java is a cost")
  void types() {
    for (Object thirty :
        List.of(
            30,
            30L,
            (short) 30,
            (byte) 30,
            30.0,
            30f,
            new BigInteger("30"),
            new BigDecimal("30.00"),
            new BigDecimal("3E+1"),
            new AtomicInteger(30),
            new StringBuilder("30"))) {
      assertThat(RequestCost.units(thirty, "types")).as(thirty.getClass().getName()).isEqualTo(30);
    }
    for (Object huge : List.of(1e300, new BigDecimal("1E+999999999"), BigInteger.TEN.pow(400))) {
      assertThat(RequestCost.units(huge, "types")).isEqualTo(Limit.MAX_UNITS);
    }
    for (Object none :
        List.of(Double.NaN, -0.0, 0.5, new BigDecimal("1E-999999999"), 'a', Optional.of(5))) {
      assertThat(RequestCost.units(none, "types")).as(none.toString()).isEqualTo(1);
    }
  }

  private static @Nullable Object java(JsonElement given) {
    if (!(given instanceof JsonPrimitive primitive)) {
      return given.isJsonNull() ? null : given;
    }
    if (primitive.isNumber()) {
      String text = primitive.getAsString();
      return text.contains(".") ? (Object) Double.valueOf(text) : Long.valueOf(text);
    }
    return primitive.isBoolean() ? (Object) primitive.getAsBoolean() : primitive.getAsString();
  }

  @Test
  @DisplayName("the responses that are charged, or why a text is refused")
  void chargedResponses() throws IOException {
    for (JsonElement each : vectors("charge_when")) {
      JsonObject vector = each.getAsJsonObject();
      String text = vector.get("text").getAsString();
      if (vector.get("charged").isJsonNull()) {
        assertThatThrownBy(() -> StatusSelection.parse(text))
            .as(text)
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageStartingWith("must be \"status\" and statuses");
        continue;
      }
      StatusSelection selection = StatusSelection.parse(text);
      for (JsonElement status : vector.getAsJsonArray("charged")) {
        assertThat(selection.has(status.getAsInt())).as(vector.toString()).isTrue();
      }
      for (JsonElement status : vector.getAsJsonArray("free")) {
        assertThat(selection.has(status.getAsInt())).as(vector.toString()).isFalse();
      }
    }
  }

  @Test
  @DisplayName(
      "plans as they are written, the strictest for a name that is unknown, or what was meant")
  void plansAsWritten() throws IOException {
    for (JsonElement each : vectors("plans_as_written")) {
      JsonObject vector = each.getAsJsonObject();
      Map<String, Optional<Limit>> plans = new LinkedHashMap<>();
      ThrowingCallable read =
          () -> {
            for (Map.Entry<String, JsonElement> plan : vector.getAsJsonObject("plans").entrySet()) {
              plans.put(plan.getKey(), PlanLimit.parsePlan(plan.getValue().getAsString()));
            }
            Map<String, Limit> limited = new LinkedHashMap<>();
            plans.forEach((name, limit) -> limit.ifPresent(own -> limited.put(name, own)));
            plans.put("", Optional.of(limited.get(StrictestPlan.of(limited))));
          };
      if (vector.get("limits").isJsonNull()) {
        JsonElement says = vector.get("says");
        assertThatThrownBy(read)
            .as(vector.toString())
            .hasMessageContaining(says == null ? "" : says.getAsString());
        continue;
      }
      assertThatNoException().isThrownBy(read);
      vector
          .getAsJsonObject("limits")
          .entrySet()
          .forEach(
              expected ->
                  assertThat(plans.getOrDefault(expected.getKey(), plans.get("")))
                      .as(vector.toString())
                      .isEqualTo(
                          expected.getValue().isJsonNull()
                              ? Optional.empty()
                              : Optional.of(Limits.parse(expected.getValue().getAsString()))));
    }
  }

  @Test
  @DisplayName("the strictest of several plans")
  void plans() throws IOException {
    for (JsonElement each : vectors("plans")) {
      JsonObject vector = each.getAsJsonObject();
      Map<String, Limit> plans = new LinkedHashMap<>();
      vector
          .getAsJsonObject("plans")
          .entrySet()
          .forEach(
              plan -> {
                String text = plan.getValue().getAsString();
                if (!text.equals(PlanLimit.UNLIMITED)) {
                  plans.put(plan.getKey(), Limits.parse(text));
                }
              });
      assertThat(StrictestPlan.of(plans))
          .as(vector.get("name").getAsString())
          .isEqualTo(vector.get("strictest").getAsString());
    }
  }
}
