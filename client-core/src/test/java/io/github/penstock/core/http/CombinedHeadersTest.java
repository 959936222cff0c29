package io.github.penstock.core.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.penstock.core.Decision;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.limit.Limits;
import io.github.penstock.core.reserve.CallId;
import io.github.penstock.core.reserve.EntryCost;
import io.github.penstock.core.reserve.EntryLimit;
import io.github.penstock.core.reserve.EntryUsage;
import io.github.penstock.core.reserve.ReservationAnswer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.greenbytes.http.sfv.Parser;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CombinedHeadersTest {
  record Policy(String policy, String limit, long[] reply, @Nullable Boolean enforced) {
    Decision decision() {
      DecisionSource source = enforced == null ? DecisionSource.SERVER : DecisionSource.UNAVAILABLE;
      return new Decision(
          reply[0] == 1, reply[1], reply[2], reply[3], reply[4], (int) reply[5], source);
    }

    RateLimitHeaders headers(HeaderForm form) {
      return RateLimitHeaders.of(policy, Limits.parse(limit)).form(form);
    }
  }

  record Entry(String policy, String limit, String mode, @Nullable String within) {
    EntryCost made() {
      EntryCost.Mode how = EntryCost.Mode.valueOf(mode.toUpperCase(Locale.ROOT));
      return new EntryCost(EntryLimit.parse(policy, limit), within, how, 1);
    }
  }

  record Answered(
      @Nullable String form,
      List<Policy> policies,
      List<Entry> entries,
      long[] reply,
      List<List<String>> fields,
      @Nullable Integer status,
      JsonObject problem) {
    HeaderForm headerForm() {
      return form == null
          ? HeaderForm.DRAFT_11
          : HeaderForm.valueOf(form.replace('-', '_').toUpperCase(Locale.ROOT));
    }
  }

  record Vectors(List<Answered> several, List<Answered> reservations) {}

  private static Vectors vectors() throws IOException {
    return new Gson()
        .fromJson(Files.readString(Path.of("../lua/vectors/http.json")), Vectors.class);
  }

  static Stream<Answered> several() throws IOException {
    return vectors().several.stream();
  }

  static Stream<Answered> reservations() throws IOException {
    return vectors().reservations.stream();
  }

  @ParameterizedTest
  @MethodSource("several")
  @DisplayName("several published decisions have their fields, and a denial its problem")
  void severalLimiters(Answered row) {
    CombinedHeaders headers = null;
    for (Policy each : row.policies) {
      RateLimitHeaders its = each.headers(row.headerForm());
      headers =
          headers == null
              ? CombinedHeaders.of(its, each.decision())
              : headers.and(its, each.decision());
    }
    check(row, headers);
  }

  @ParameterizedTest
  @MethodSource("reservations")
  @DisplayName("a published call under several limits has its fields, and a denial its problem")
  void aReservation(Answered row) {
    List<EntryUsage> usages = new ArrayList<>();
    long[] reply = row.reply;
    for (int at = 4; at < reply.length; at += 5) {
      EntryCost entry = row.entries.get(usages.size()).made();
      usages.add(
          new EntryUsage(
              entry, reply[at], reply[at + 1], reply[at + 2], reply[at + 3], (int) reply[at + 4]));
    }
    ReservationAnswer answer =
        new ReservationAnswer(
            CallId.random(), reply[0] == 1, true, false, reply[1], (int) reply[2] - 1, usages);
    check(row, CombinedHeaders.of(answer, row.headerForm()));
  }

  private static void check(Answered row, CombinedHeaders headers) {
    Map<String, String> fields = headers.fields();
    assertThat(fields.entrySet().stream().map(field -> List.of(field.getKey(), field.getValue())))
        .isEqualTo(row.fields);
    if (row.form == null) {
      fields.forEach(
          (name, value) ->
              assertThat(
                      name.equals("Retry-After")
                          ? new Parser(value).parseItem().get()
                          : new Parser(value).parseList().get())
                  .isNotNull());
    }
    if (row.status == null) {
      assertThatIllegalStateException().isThrownBy(headers::status).withMessageContaining("deny");
      assertThatIllegalStateException().isThrownBy(headers::problem).withMessageContaining("deny");
    } else {
      assertThat(headers.status()).isEqualTo(row.status);
      assertThat(JsonParser.parseString(headers.problem())).isEqualTo(row.problem);
    }
  }

  @Test
  @DisplayName("a call that was not decided has its policies, and is a 503 if it is denied")
  void undecided() {
    EntryCost tokens = EntryLimit.parse("tpm", "fixed-window:1000/1m").reserve(10);
    EntryCost inFlight = EntryLimit.parse("in-flight", "concurrency:10").reserve();
    List<EntryUsage> usages =
        List.of(new EntryUsage(tokens, 1000, 0, 0, 0, 1), new EntryUsage(inFlight, 10, 0, 0, 0, 1));
    String policies = "\"tpm\";q=1000;w=60, \"in-flight\";q=10;qu=\"concurrent-requests\"";
    CallId id = CallId.random();
    CombinedHeaders allowed =
        CombinedHeaders.of(new ReservationAnswer(id, true, false, false, 0, -1, usages));
    assertThat(allowed.fields()).containsExactly(Map.entry("RateLimit-Policy", policies));
    CombinedHeaders denied =
        CombinedHeaders.of(new ReservationAnswer(id, false, false, false, 1_500_000, -1, usages));
    assertThat(denied.fields())
        .containsExactly(Map.entry("RateLimit-Policy", policies), Map.entry("Retry-After", "2"));
    assertThat(denied.status()).isEqualTo(503);
    assertThat(denied.problem("Try again.")).contains("\"detail\":\"Try again.\"", "[]");
  }

  @Test
  @DisplayName("headers of two forms are refused")
  void forms() {
    Policy api = new Policy("api", "fixed-window:10/1h", new long[] {1, 10, 9, 0, 1, 1}, null);
    CombinedHeaders headers = CombinedHeaders.of(api.headers(HeaderForm.DRAFT_07), api.decision());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> headers.and(api.headers(HeaderForm.DRAFT_11), api.decision()))
        .withMessage("headers must be of the form DRAFT_07: DRAFT_11");
  }
}
