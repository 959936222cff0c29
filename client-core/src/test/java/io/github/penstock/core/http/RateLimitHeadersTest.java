package io.github.penstock.core.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.penstock.core.Decision;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.Limits;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.greenbytes.http.sfv.Parser;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RateLimitHeadersTest {
  private static final Limit BUCKET = Limits.parse("token-bucket:10/1s,burst=100");
  private static final RateLimitHeaders API = RateLimitHeaders.of("api", BUCKET);

  /** The six integers of a reply; see docs/protocol.md. */
  private static Decision decision(String reply) {
    long[] six = Arrays.stream(reply.split(" ")).mapToLong(Long::parseLong).toArray();
    return new Decision(
        six[0] == 1, six[1], six[2], six[3], six[4], (int) six[5], DecisionSource.SERVER);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "token-bucket:10/1s,burst=100 | 1 100 99 0 100000 1 | q=100;w=10 | r=99;t=1 |",
        "token-bucket:10/1s,burst=100 | 0 100 0 100000 10000000 1 | q=100;w=10 | r=0;t=1 | 1",
        "token-bucket:10/1s,burst=100 | 0 100 0 5000000 10000000 1 | q=100;w=10 | r=0;t=1 | 5",
        "token-bucket:1/10s,burst=5 | 1 5 4 0 10000000 1 | q=5;w=50 | r=4;t=10 |",
        "token-bucket:1/10s,burst=5 | 1 5 3 0 12000001 1 | q=5;w=50 | r=3;t=3 |",
        "token-bucket:1/10s,burst=5 | 0 5 0 10000000 50000000 1 | q=5;w=50 | r=0;t=10 | 10",
        "token-bucket:1/10s,burst=5 | 0 5 1 12000000 32000000 1 | q=5;w=50 | r=1;t=2 | 12",
        "token-bucket:7/3s | 1 7 6 0 428572 1 | q=7;w=3 | r=6;t=1 |",
        "token-bucket:7/2s,burst=8 | 1 8 7 0 285715 1 | q=8 | r=7;t=1 |",
        "token-bucket:1000000/1s,burst=1000000000000 | 1 1000000000000 0 0 1000000000000 1 |"
            + " q=1000000000000;w=1000000 | r=0;t=1 |",
        "leaky-bucket:1/10s,burst=5 | 1 5 3 10000000 20000000 1 | q=5;w=50 | r=3;t=10 |",
        "leaky-bucket:1/10s,burst=5 | 0 5 0 2500000 42500000 1 | q=5;w=50 | r=0;t=3 | 3",
        "interval-bucket:100/1m,burst=300 | 1 300 299 0 60000000 1 | q=300;w=180 | r=299;t=60 |",
        "interval-bucket:100/1m,burst=300 | 1 300 150 0 90000000 1 | q=300;w=180 | r=150;t=30 |",
        "interval-bucket:100/1m,burst=250 | 0 250 0 30000001 150000001 1 | q=250;w=150 | r=0;t=31 |"
            + " 31",
        "interval-bucket:1000/1m,burst=10 | 1 10 9 0 60000000 1 | q=10;w=60 | r=9;t=60 |",
        "fixed-window:1000/1h | 1 1000 999 0 3600000000 1 | q=1000;w=3600 | r=999;t=3600 |",
        "fixed-window:1000/1h | 0 1000 0 1 1 1 | q=1000;w=3600 | r=0;t=1 | 1",
        "fixed-window:5/500ms | 1 5 4 0 500000 1 | q=5 | r=4;t=1 |",
        "sliding-window:10/1m | 1 10 9 0 120000000 1 | q=10;w=60 | r=9;t=120 |",
        "sliding-window:10/1m | 1 10 0 0 120000000 1 | q=10;w=60 | r=0;t=66 |",
        "sliding-window:10/1m | 0 10 0 3000000 110000000 1 | q=10;w=60 | r=0;t=3 | 3",
        "sliding-window:10/1m | 0 10 2 30000000 100000000 1 | q=10;w=60 | r=2;t=30 | 30",
        "sliding-window:10/1m | 0 10 2 59000000 100000000 1 | q=10;w=60 | r=2;t=48 | 59",
        "sliding-window:10/1m | 0 10 2 59000000 40000000 1 | q=10;w=60 | r=2;t=40 | 59",
      })
  @DisplayName("each algorithm says what there is, when there is more, and when to come back")
  void algorithms(String text, String reply, String policy, String now, String retryAfter) {
    Decision decision = decision(reply);
    Map<String, String> fields = RateLimitHeaders.of("api", Limits.parse(text)).fields(decision);
    assertThat(fields)
        .containsEntry("RateLimit-Policy", "\"api\";" + policy)
        .containsEntry("RateLimit", "\"api\";" + now);
    assertThat(fields.get("Retry-After")).isEqualTo(retryAfter);
    wellFormed(fields);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "token-bucket:1/10s,burst=5 | 0 5 5 -1 0 1 | r=5",
        "token-bucket:1/10s,burst=5 | 0 5 3 -1 20000000 1 | r=3;t=10",
        "sliding-window:10/1m | 0 10 0 -1 110000000 1 | r=0;t=110",
        "fixed-window:10/1m | 0 10 10 -1 0 1 | r=10",
      })
  @DisplayName("a call that can never be allowed is not told when to come back")
  void impossible(String text, String reply, String now) {
    assertThat(RateLimitHeaders.of("api", Limits.parse(text)).fields(decision(reply)))
        .containsEntry("RateLimit", "\"api\";" + now)
        .doesNotContainKey("Retry-After");
  }

  @Test
  @DisplayName("several tiers are several policies, and RateLimit describes the one that decided")
  void tiers() {
    RateLimitHeaders two = RateLimitHeaders.of("api", Limits.parse("token-bucket:10/1s+50/1m"));
    Decision denied = decision("0 50 0 1200000 60000000 2");
    assertThat(two.fields(denied))
        .containsExactly(
            Map.entry("RateLimit-Policy", "\"api-1\";q=10;w=1, \"api-2\";q=50;w=60"),
            Map.entry("RateLimit", "\"api-2\";r=0;t=2"),
            Map.entry("Retry-After", "2"));
    Map<String, String> named = two.names("second", "a \"minute\" \\").fields(denied);
    assertThat(named)
        .containsEntry(
            "RateLimit-Policy", "\"second\";q=10;w=1, \"a \\\"minute\\\" \\\\\";q=50;w=60")
        .containsEntry("RateLimit", "\"a \\\"minute\\\" \\\\\";r=0;t=2");
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

  @ParameterizedTest
  @EnumSource
  @DisplayName("a decision that could not be made says nothing about what remains")
  void unavailable(HeaderForm form) {
    RateLimitHeaders headers = API.form(form);
    Decision allowed = new Decision(true, 100, 0, 0, 0, 1, DecisionSource.UNAVAILABLE);
    Decision denied = new Decision(false, 100, 0, 200_000, 0, 1, DecisionSource.UNAVAILABLE);
    assertThat(headers.fields(allowed).keySet()).isSubsetOf("RateLimit-Policy");
    assertThat(headers.fields(denied))
        .containsEntry("Retry-After", "1")
        .doesNotContainKeys("RateLimit", "RateLimit-Remaining", "X-RateLimit-Remaining");
    assertThat(RateLimitHeaders.status(denied)).isEqualTo(503);
    JsonObject problem = problem(headers.problem(denied));
    assertThat(problem.get("type").getAsString()).endsWith("#temporary-reduced-capacity");
    assertThat(problem.get("status").getAsInt()).isEqualTo(503);
    assertThat(problem.getAsJsonArray("violated-policies")).isEmpty();
  }

  @Test
  @DisplayName("older drafts and the usual fields")
  void forms() {
    Decision denied = decision("0 100 0 100000 10000000 1");
    assertThat(API.form(HeaderForm.DRAFT_07).fields(denied))
        .containsExactly(
            Map.entry("RateLimit-Policy", "100;w=10"),
            Map.entry("RateLimit", "limit=100, remaining=0, reset=1"),
            Map.entry("Retry-After", "1"));
    assertThat(API.form(HeaderForm.DRAFT_06).fields(denied))
        .containsExactly(
            Map.entry("RateLimit-Policy", "100;w=10"),
            Map.entry("RateLimit-Limit", "100"),
            Map.entry("RateLimit-Remaining", "0"),
            Map.entry("RateLimit-Reset", "1"),
            Map.entry("Retry-After", "1"));
    assertThat(API.form(HeaderForm.X_RATE_LIMIT).fields(denied))
        .containsExactly(
            Map.entry("X-RateLimit-Limit", "100"),
            Map.entry("X-RateLimit-Remaining", "0"),
            Map.entry("X-RateLimit-Reset", "10"),
            Map.entry("Retry-After", "1"));
    assertThat(API.form(HeaderForm.DRAFT_07).fields(decision("0 100 100 -1 0 1")))
        .containsEntry("RateLimit", "limit=100, remaining=100, reset=0");
    assertThat(new Parser("limit=100, remaining=0, reset=1").parseDictionary().serialize())
        .isEqualTo("limit=100, remaining=0, reset=1");
  }

  @Test
  @DisplayName("older drafts name no quota twice, and no policy without a window")
  void oldPolicies() {
    Decision allowed = decision("1 10 9 0 1000000 1");
    for (HeaderForm form : List.of(HeaderForm.DRAFT_07, HeaderForm.DRAFT_06)) {
      assertThat(
              RateLimitHeaders.of("api", Limits.parse("fixed-window:10/1s+10/1m+50/1h+5/1ms"))
                  .form(form)
                  .fields(allowed))
          .containsEntry("RateLimit-Policy", "10;w=60, 50;w=3600");
      assertThat(
              RateLimitHeaders.of("api", Limits.parse("fixed-window:10/1ms"))
                  .form(form)
                  .fields(allowed))
          .doesNotContainKey("RateLimit-Policy");
    }
  }

  @Test
  @DisplayName("a denial is a problem, whose texts any JSON parser reads back")
  void problems() {
    Decision denied = decision("0 100 0 100000 10000000 1");
    assertThat(API.problem(denied))
        .isEqualTo(
            "{\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\","
                + "\"title\":\"Quota exceeded\",\"status\":429,\"violated-policies\":[\"api\"]}");
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
