package io.github.penstock.cli.scripts;

import static io.github.penstock.cli.scripts.ScriptsOnServersTest.assertComplaint;
import static io.github.penstock.cli.scripts.ScriptsOnServersTest.run;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.penstock.cli.CommandRun;
import io.github.penstock.testkit.resp.RespConnection;
import io.github.penstock.testkit.script.ScriptClient;
import io.github.penstock.testkit.script.ScriptForm;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Explanations agree with a peek of the script itself, or with the state read by hand. */
class KeyExplainTest {
  private static final String HOUR = "3600000000";
  @AutoClose private static final ServerProcess server = new EmbeddedServer().start();
  @AutoClose private static final RespConnection connection = server.connect();
  private static final ScriptClient scripts = ScriptForm.MINIFIED.load(connection);

  /* Nothing is regained within the hour, except by buckets that regain evenly. */
  @ParameterizedTest
  @CsvSource({
    "fixed-window, w3600000000, 10 3600000000, fixed-window:10/1h, 3600",
    "sliding-window, s3600000000, 10 3600000000, sliding-window:10/1h, 7200",
    "interval-bucket, i10.2.3600000000, 10 2 3600000000, 'interval-bucket:2/1h,burst=10', 7200",
    "token-bucket, b10.1.3600000000, 10 1 3600000000, 'token-bucket:1/1h,burst=10', 10800",
    "leaky-bucket, b10.1.3600000000, 10 1 3600000000, 'leaky-bucket:1/1h,burst=10', 10800"
  })
  void everyScript(String script, String marker, String tier, String limit, double unusedIn) {
    String key = "penstock:api:{" + script + "}:" + marker;
    scripts.call(script, List.of(key), List.of(("3 " + tier).split(" ")));
    JsonObject all = explained(key, "--limit", limit);
    assertThat(all.get("most_calls_per_trip").getAsInt())
        .isEqualTo(script.equals("leaky-bucket") ? 1 : 1_000);
    JsonObject told = tier(all, 0);
    assertThat(told.get("used").getAsInt()).isEqualTo(3);
    assertThat(told.get("remaining").getAsInt()).isEqualTo(7);
    assertThat(told.get("unused_in_s").getAsDouble()).isBetween(unusedIn - 600, unusedIn);
    double turn = told.get("turn_in_s").getAsDouble();
    assertThat(turn)
        .isEqualTo(script.equals("leaky-bucket") ? told.get("unused_in_s").getAsDouble() : 0);
    String text = run("explain", key, "--redis", uri()).out();
    assertThat(text).contains(key, "policy api, subject " + script, "It expires in");
    assertThat(text.lines()).allMatch(line -> line.length() <= 80);
    assertThat(text).contains(marker.matches("[ws].*") ? "?" : " 7 ");
    assertThat(text)
        .contains(
            "  Calls per trip: up to 1,000 of one cost (penstock.shared.calls)"
                + (marker.startsWith("b") ? ", 1 if leaky.\n" : ".\n"));
    assertThat(explained(key).has("most_calls_per_trip")).isEqualTo(!marker.startsWith("b"));
  }

  @Test
  void aLimitThatWasLowered() {
    String key = "penstock:api:{lowered}:w" + HOUR;
    scripts.call("fixed-window", List.of(key), List.of("30", "100", HOUR));
    JsonObject tier = tier(explained(key, "--limit", "fixed-window:20/1h"), 0);
    assertThat(tier.get("used").getAsInt()).isEqualTo(30);
    assertThat(tier.get("remaining").getAsInt()).isZero();
    assertThat(tier(explained(key), 0).has("remaining")).isFalse();
  }

  @Test
  void severalTiers() {
    String key = "penstock:api:{two}:b10.1.3600000000-100.2.3600000000";
    List<String> call = List.of("4", "10", "1", HOUR, "100", "2", HOUR);
    scripts.call("token-bucket", List.of(key), call);
    JsonObject told = explained(key);
    assertThat(tier(told, 0).get("remaining").getAsInt()).isEqualTo(6);
    assertThat(tier(told, 1).get("remaining").getAsInt()).isEqualTo(96);
  }

  @Test
  void whatReservationsHold() {
    String tokens = "penstock:tpm:{tenant:7}/user:42:rb10.1.3600000000";
    String places = "penstock:in-flight:{tenant:7}:rc";
    String entries =
        "60000000 0 reserve token-bucket 4 1 10 1 3600000000 reserve concurrency 1 1 5";
    scripts.call(
        "reserve",
        List.of(tokens, places, "penstock:{tenant:7}:explained"),
        List.of(entries.split(" ")));
    JsonObject told = explained(tokens);
    assertThat(told.get("script").getAsString()).isEqualTo("token-bucket");
    assertThat(told.getAsJsonObject("held").entrySet())
        .singleElement()
        .satisfies(
            held -> {
              assertThat(held.getValue().getAsInt()).isEqualTo(4);
              assertThat(Long.parseLong(held.getKey()) - told.get("now_us").getAsLong())
                  .isBetween(1L, 70_000_000L);
            });
    assertThat(tier(told, 0).get("used").getAsInt()).isZero();
    assertThat(told.get("most_calls_per_trip").getAsInt()).isEqualTo(1);
    assertThat(run("explain", tokens, "--redis", uri()).out())
        .contains("policy tpm, subject tenant:7/user:42, reserved under token-bucket")
        .contains("held: 4 until 20", "Each call has a trip of its own.");
    assertThat(run("explain", places, "--redis", uri()).out()).contains("held: 1 until 20");
    assertThat(run("explain", places, "--limit", "fixed-window:9/1m", "--redis", uri()).out())
        .contains("held: 1 until 20");
  }

  @Test
  void aCallOfCostOneNow() {
    String key = "penstock:api:{one}:b2.1.3600000000";
    scripts.call("token-bucket", List.of(key), List.of("1", "2", "1", HOUR));
    assertThat(run("explain", key, "--redis", uri()).out())
        .contains("A call of cost 1 now: allowed, 0 remain.");
    scripts.call("token-bucket", List.of(key), List.of("1", "2", "1", HOUR));
    assertThat(run("explain", key, "--redis", uri()).out())
        .containsPattern("A call of cost 1 now: denied, wait 3[56]\\d\\d(\\.\\d+)? s\\.");
    assertThat(explained(key).getAsJsonArray("call_of_cost_1").get(0).getAsInt()).isZero();
    assertThat(explained("penstock:api:{one}:w" + HOUR).has("call_of_cost_1")).isFalse();
  }

  @Test
  void allKeysOfASubject() {
    for (String marker : List.of("b10.1.3600000000", "i10.2.3600000000")) {
      connection.call("SET", "penstock:web:{all}:" + marker, "1");
    }
    scripts.call(
        "token-bucket",
        List.of("penstock:api:{all}:b10.1.3600000000"),
        List.of("1", "10", "1", HOUR));
    CommandRun ran = run("explain", "--policy", "api", "--subject", "all", "--redis", uri());
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    assertThat(ran.out()).contains("penstock:api:{all}:b10.1").doesNotContain(":web:");
    assertThat(run("explain", "--policy", "api", "--subject", "x", "--redis", uri()).out())
        .startsWith("Nothing is stored");
    scripts.call("fixed-window", List.of("penstock:api:{all}:w" + HOUR), List.of("1", "9", HOUR));
    List<String> changed = List.of("fixed-window:9/1h", "token-bucket:1/1h,burst=10");
    for (String limit : changed) {
      assertThat(
              run("explain", "--policy api --subject all", "--redis", uri(), "--limit", limit)
                  .out())
          .contains("{all}:w" + HOUR, "{all}:b10.1", "A call of cost 1 now: allowed, 8 remain.");
    }
    assertComplaint(run("explain", "--redis", uri()), "give a key, or both --policy and --subject");
    assertComplaint(
        run("explain", "k", "--policy", "p", "--redis", uri()), "give a key, or --policy and");
  }

  @Test
  void nothingIsStored() {
    String key = "penstock:api:{new}:b10.1.1000000";
    assertThat(run("explain", key, "--redis", uri()).out()).contains("Nothing is stored");
    assertThat(tier(explained(key), 0).get("remaining").getAsInt()).isEqualTo(10);
    assertThat(connection.call("EXISTS", key)).isEqualTo(0L);
  }

  @Test
  void foreignValues() {
    connection.call("SET", "penstock:api:{odd}:b10.1.1000000", "17");
    assertComplaint(
        run("explain", "penstock:api:{odd}:b10.1.1000000", "--redis", uri()), "does not write");
    connection.call("RPUSH", "penstock:api:{list}:b10.1.1000000", "17");
    assertComplaint(
        run("explain", "penstock:api:{list}:b10.1.1000000", "--redis", uri()), "holds no string");
    connection.call("SET", "ours", "3", "EX", "100");
    assertComplaint(run("explain", "ours", "--redis", uri()), "convention");
    assertComplaint(
        run("explain", "ours", "--limit", "token-bucket:1/1x", "--redis", uri()), "a period must");
    String key = "penstock:api:{new}:b10.1.5";
    assertComplaint(
        run("explain", key, "--limit", "fixed-window:1/1s", "--redis", uri()), "ends in :w1000000");
    assertComplaint(
        run("explain", "penstock:api:{new}:b0.1.5", "--redis", uri()), "out of the protocol's");
  }

  @Test
  void aProgramsOwnKey() {
    scripts.call("fixed-window", List.of("own"), List.of("4", "10", HOUR));
    JsonObject told = explained("own", "--limit", "fixed-window:10/1h");
    assertThat(tier(told, 0).get("remaining").getAsInt()).isEqualTo(6);
  }

  private static JsonObject explained(String... arguments) {
    CommandRun ran =
        run(
            Stream.of(
                    new String[] {"explain"}, arguments, new String[] {"--json", "--redis", uri()})
                .flatMap(Stream::of)
                .toArray(String[]::new));
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    return JsonParser.parseString(ran.out()).getAsJsonObject();
  }

  private static JsonObject tier(JsonObject told, int index) {
    return told.getAsJsonArray("tiers").get(index).getAsJsonObject();
  }

  private static String uri() {
    return server.url().toString();
  }
}
