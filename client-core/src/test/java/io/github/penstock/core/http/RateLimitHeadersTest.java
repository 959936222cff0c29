package io.github.penstock.core.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.reflect.TypeToken;
import io.github.penstock.core.Decision;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.Limits;
import java.io.IOException;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.greenbytes.http.sfv.Parser;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RateLimitHeadersTest {
  private static final Type STRINGS = new TypeToken<List<List<String>>>() {}.getType();
  private static final Limit BUCKET = Limits.parse("token-bucket:10/1s,burst=100");
  private static final RateLimitHeaders API = RateLimitHeaders.of("api", BUCKET);

  /** The six integers of a reply; see docs/protocol.md. */
  private static Decision decision(String reply) {
    long[] six = Arrays.stream(reply.split(" ")).mapToLong(Long::parseLong).toArray();
    return new Decision(
        six[0] == 1, six[1], six[2], six[3], six[4], (int) six[5], DecisionSource.SERVER);
  }

  static Stream<JsonObject> answers() throws IOException {
    String json = Files.readString(Path.of("../lua/vectors/http.json"));
    return StreamSupport.stream(
            JsonParser.parseString(json).getAsJsonObject().getAsJsonArray("answers").spliterator(),
            false)
        .map(JsonElement::getAsJsonObject);
  }

  @ParameterizedTest
  @MethodSource("answers")
  @DisplayName("every published decision has its fields, and every denial its problem")
  void published(JsonObject row) {
    long[] six = new Gson().fromJson(row.get("reply"), long[].class);
    boolean enforced = !row.has("enforced");
    DecisionSource source = enforced ? DecisionSource.SERVER : DecisionSource.UNAVAILABLE;
    Decision decision =
        new Decision(six[0] == 1, six[1], six[2], six[3], six[4], (int) six[5], source);
    RateLimitHeaders headers = headers(row);
    Map<String, String> fields = headers.fields(decision);
    assertThat(fields.entrySet().stream().map(field -> List.of(field.getKey(), field.getValue())))
        .isEqualTo(new Gson().fromJson(row.get("fields"), STRINGS));
    if (!row.has("form")) {
      wellFormed(fields);
    }
    if (!decision.allowed()) {
      String detail = row.has("detail") ? row.get("detail").getAsString() : null;
      String problem = headers.problem(decision, detail);
      assertThat(problem(problem)).isEqualTo(row.get("problem"));
      assertThat(problem).matches("[ -~]+");
      assertThat(RateLimitHeaders.status(decision)).isEqualTo(row.get("status").getAsInt());
    }
  }

  private static RateLimitHeaders headers(JsonObject row) {
    RateLimitHeaders headers =
        RateLimitHeaders.of(
            row.get("policy").getAsString(), Limits.parse(row.get("limit").getAsString()));
    if (row.has("form")) {
      String form = row.get("form").getAsString().replace('-', '_').toUpperCase(Locale.ROOT);
      headers = headers.form(HeaderForm.valueOf(form));
    }
    if (row.has("names")) {
      headers = headers.names(new Gson().fromJson(row.get("names"), String[].class));
    }
    return row.has("quota_unit") ? headers.quotaUnit(row.get("quota_unit").getAsString()) : headers;
  }

  @Test
  @DisplayName("several tiers are several policies, and RateLimit describes the one that decided")
  void tiers() {
    RateLimitHeaders two = RateLimitHeaders.of("api", Limits.parse("token-bucket:10/1s+50/1m"));
    Decision denied = decision("0 50 0 1200000 60000000 2");
    Map<String, String> named = two.names("second", "a \"minute\" \\").fields(denied);
    assertThat(new Parser(named.get("RateLimit")).parseList().get().get(0).get())
        .isEqualTo("a \"minute\" \\");
    wellFormed(named);
    assertThat(violated(two.names("second", "minute").problem(denied))).isEqualTo("minute");
  }

  @Test
  @DisplayName("a partition and a unit are told where they are given")
  void partitionAndUnit() {
    byte[] partition = "plan-7".getBytes(StandardCharsets.US_ASCII);
    Map<String, String> fields =
        API.quotaUnit("content-bytes").fields(decision("1 100 99 0 100000 1"), partition);
    assertThat(fields)
        .containsExactly(
            Map.entry("RateLimit-Policy", "\"api\";q=100;qu=\"content-bytes\";w=10;pk=:cGxhbi03:"),
            Map.entry("RateLimit", "\"api\";r=99;t=1;pk=:cGxhbi03:"));
    wellFormed(fields);
    assertThat(
            new Parser(fields.get("RateLimit"))
                .parseList()
                .get()
                .get(0)
                .getParams()
                .get("pk")
                .get())
        .isEqualTo(ByteBuffer.wrap(partition));
  }

  @Test
  @DisplayName("a denial is a problem, whose texts any JSON parser reads back")
  void problems() {
    Decision denied = decision("0 100 0 100000 10000000 1");
    String detail = "\"quoted\" back\\slash \u0000\b\t\n\u001f\u007f é \u2028 😀";
    assertThat(problem(API.problem(denied, detail)).get("detail").getAsString()).isEqualTo(detail);
    assertThat(problem(API.problem(denied, "a\ud83d b\ude00 \ud83d")).get("detail").getAsString())
        .isEqualTo("a\ufffd b\ufffd \ufffd");
    assertThat(API.problem(denied, detail)).matches("[ -~]+");
    assertThat(violated(RateLimitHeaders.of("a\"\\b", BUCKET).problem(denied))).isEqualTo("a\"\\b");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> API.problem(decision("1 100 99 0 100000 1")))
        .withMessageStartingWith("denied must be a denial: Decision[allowed=true");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "täglich", "a\nb", "\u007f", "日"})
  @DisplayName("a name that a structured field cannot hold is refused when it is given")
  void names(String name) {
    String rule = " must be printable ASCII of at least one character: \"" + name + "\"";
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RateLimitHeaders.of(name, BUCKET))
        .withMessage("policy" + rule);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> API.names(name))
        .withMessage("tiers" + rule);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> API.quotaUnit(name))
        .withMessage("quotaUnit" + rule);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                RateLimitHeaders.of("api", Limits.parse("fixed-window:10/1s+50/1m"))
                    .names("a", "a"))
        .withMessage("tiers must differ: [a, a]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> API.names("a", "b"))
        .withMessage("tiers must be 1 names: [a, b]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1 100 99 0 100000 2", "1 50 49 0 100000 1"})
  @DisplayName("a decision about another limit is refused")
  void another(String reply) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> API.fields(decision(reply)))
        .withMessageStartingWith("decision must be about token-bucket:10/1s,burst=100: Decision[");
  }

  static Stream<Arguments> combinations() {
    return Arrays.stream(DecisionSource.values())
        .flatMap(
            source -> Arrays.stream(HeaderForm.values()).map(form -> Arguments.of(source, form)));
  }

  @ParameterizedTest
  @MethodSource("combinations")
  @DisplayName("every source has its fields in every form; a share those of its own numbers")
  void sources(DecisionSource source, HeaderForm form) {
    Limit limit = Limits.parse("fixed-window:100/1h");
    RateLimitHeaders headers = RateLimitHeaders.of("api", limit).form(form);
    boolean local = source == DecisionSource.LOCAL;
    long capacity = local ? 25 : 100;
    Decision allowed = new Decision(true, capacity, 7, 0, 1_800_000_000L, 1, source);
    Decision denied = new Decision(false, capacity, 0, 1_000_000, 1_800_000_000L, 1, source);
    boolean enforced = allowed.enforced();
    Map<String, String> fields = headers.fields(allowed);
    String policy = fields.get("RateLimit-Policy");
    switch (form) {
      case DRAFT_11 -> {
        assertThat(policy).isEqualTo("\"api\";q=" + capacity + ";w=3600");
        assertThat(fields.get("RateLimit")).isEqualTo(enforced ? "\"api\";r=7;t=1800" : null);
      }
      case DRAFT_07 -> {
        assertThat(policy).isEqualTo(capacity + ";w=3600");
        assertThat(fields.get("RateLimit"))
            .isEqualTo(enforced ? "limit=" + capacity + ", remaining=7, reset=1800" : null);
      }
      case DRAFT_06 -> {
        assertThat(policy).isEqualTo(capacity + ";w=3600");
        assertThat(fields.get("RateLimit-Limit")).isEqualTo(enforced ? "" + capacity : null);
        assertThat(fields.get("RateLimit-Remaining")).isEqualTo(enforced ? "7" : null);
      }
      case X_RATE_LIMIT -> {
        assertThat(policy).isNull();
        assertThat(fields.get("X-RateLimit-Limit")).isEqualTo(enforced ? "" + capacity : null);
        assertThat(fields.get("X-RateLimit-Reset")).isEqualTo(enforced ? "1800" : null);
      }
    }
    assertThat(headers.fields(denied)).containsEntry("Retry-After", "1");
    assertThat(RateLimitHeaders.status(denied)).isEqualTo(enforced ? 429 : 503);
    assertThat(problem(headers.problem(denied)).getAsJsonArray("violated-policies"))
        .hasSize(enforced ? 1 : 0);
    assertThat(CombinedHeaders.of(headers, denied).status()).isEqualTo(enforced ? 429 : 503);
  }

  @ParameterizedTest
  @CsvSource({
    "'token-bucket:100/1m,burst=20', 4, 1, '\"api\";q=5;w=12'",
    "'token-bucket:10/1s,burst=100', 1, 1, '\"api\";q=100;w=10'",
    "'interval-bucket:60/1m,burst=120', 3, 1, '\"api\";q=40;w=120'",
    "'fixed-window:10/1s+50/1m', 7, 2, '\"api-1\";q=1;w=1, \"api-2\";q=7;w=60'",
    "'sliding-window:3/1h', 1000, 1, '\"api\";q=1;w=3600'"
  })
  @DisplayName("the share of every kind of limit has the policy of its own numbers")
  void shares(String text, int processes, int tier, String policy) {
    Limit limit = Limits.parse(text);
    Limit share = OnUnavailable.local(processes).share(limit);
    long capacity = share.tiers().get(tier - 1).capacity();
    Decision local = new Decision(true, capacity, 0, 0, 1_000_000, tier, DecisionSource.LOCAL);
    assertThat(RateLimitHeaders.of("api", limit).fields(local))
        .isEqualTo(RateLimitHeaders.of("api", share).fields(local))
        .containsEntry("RateLimit-Policy", policy);
  }

  @ParameterizedTest
  @ValueSource(longs = {60, 34, 101, 10_000})
  @DisplayName("numbers that are no share of the limit are refused")
  void noShare(long capacity) {
    Decision local = new Decision(true, capacity, 0, 0, 0, 1, DecisionSource.LOCAL);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> API.fields(local))
        .withMessageStartingWith("decision must be about token-bucket:10/1s,burst=100: Decision[");
  }

  private static void wellFormed(Map<String, String> fields) {
    for (String name : List.of("RateLimit-Policy", "RateLimit")) {
      String value = fields.get(name);
      assertThat(new Parser(value).parseList().serialize()).isEqualTo(value);
    }
  }

  private static JsonObject problem(String json) {
    return JsonParser.parseString(json).getAsJsonObject();
  }

  private static String violated(String json) {
    return problem(json).getAsJsonArray("violated-policies").get(0).getAsString();
  }
}
