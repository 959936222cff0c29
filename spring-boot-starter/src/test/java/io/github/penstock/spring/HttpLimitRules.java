package io.github.penstock.spring;

import static io.github.penstock.spring.HttpCaller.field;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.spring.control.PolicySwitches;
import io.github.penstock.spring.internal.subject.HeaderSubject;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** What the policies of limits.yaml do over HTTP, on Boot's Lettuce and a real Redis. */
@ExtendWith(OutputCaptureExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class HttpLimitRules {
  private static final String KEY = "X-Api-Key";
  private static final String ADDRESS = "address:127.0.0.1";
  private ServerProcess redis;
  private ConfigurableApplicationContext context;
  HttpCaller http;

  /** The application. */
  abstract Class<?> application();

  /** Its arguments beside those of all. */
  abstract List<String> arguments();

  @BeforeAll
  void start() {
    redis = new EmbeddedServer().start();
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--spring.config.name=limits",
                "--server.port=0",
                "--spring.data.redis.host=127.0.0.1",
                "--spring.data.redis.port=" + redis.url().port()));
    arguments.addAll(arguments());
    context =
        new SpringApplicationBuilder(application(), JointPolicyRules.DenialCounting.class)
            .run(arguments.toArray(String[]::new));
    http = new HttpCaller(context.getEnvironment().getProperty("local.server.port", int.class, 0));
  }

  @AfterAll
  void stop() {
    context.close();
    redis.close();
  }

  /* How many units of a window of an hour a subject has used. */
  private long used(String policy, String subject) {
    Limit hour = FixedWindow.of(1_000_000, Duration.ofHours(1));
    RateLimiters limiters = context.getBean(RateLimiters.class);
    return 1_000_000 - limiters.limiter(policy, hour).peek(subject).remaining();
  }

  private static String text(Object reply) {
    return reply instanceof byte[] bytes
        ? new String(bytes, StandardCharsets.UTF_8)
        : reply.toString();
  }

  private static String somebody() {
    return UUID.randomUUID().toString();
  }

  @Test
  @DisplayName(
      "a limit by header: fields of the strictest, once; then 429 with a problem; no key shows the"
          + " header")
  void header() {
    String key = somebody();
    for (int left = 2; left >= 0; left--) {
      HttpResponse<String> response = http.get("/api/a", KEY, key);
      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(field(response, "RateLimit")).startsWith("\"api\";r=" + left);
      assertThat(field(response, "RateLimit-Policy")).isEqualTo("\"api\";q=3;w=3600");
    }
    HttpResponse<String> denied = http.get("/api/b", KEY, key);
    assertThat(denied.statusCode()).isEqualTo(429);
    assertThat(Long.parseLong(field(denied, "Retry-After"))).isBetween(1L, 3600L);
    assertThat(field(denied, "RateLimit")).startsWith("\"api\";r=0");
    assertThat(field(denied, "Content-Type")).isEqualTo("application/problem+json");
    assertThat(denied.body()).contains("quota-exceeded", "\"violated-policies\":[\"api\"]");
    assertThat(http.get("/api/a", KEY, somebody()).statusCode()).isEqualTo(200);
    assertThat(text(redis.call("KEYS", "*" + key + "*"))).isEqualTo("[]");
    assertThat(((List<?>) redis.call("KEYS", "penstock:api:{header:*")).size()).isGreaterThan(1);
  }

  @Test
  @DisplayName("a request without a subject counts for its address")
  void addresses() {
    long before = used("api", ADDRESS);
    http.get("/api/a");
    http.get("/api/a", KEY, "");
    assertThat(used("api", ADDRESS)).isEqualTo(before + 2);
    http.get("/users");
    assertThat(used("users", ADDRESS)).isPositive();
    long unnamed = used("expressions", ADDRESS);
    http.get("/expressions"); // throws
    http.get("/expressions?id=%20"); // empty
    assertThat(used("expressions", ADDRESS)).isEqualTo(unnamed + 2);
    http.get("/expressions?id=42");
    assertThat(used("expressions", "value:42")).isEqualTo(1);
    http.get("/objects");
    assertThat(used("objects", ADDRESS)).isEqualTo(1);
  }

  @Test
  @DisplayName("a user, after Security; what Security refuses counts only before it")
  void users() {
    String good = "Basic " + Base64.getEncoder().encodeToString("alice:pass".getBytes());
    String bad = "Basic " + Base64.getEncoder().encodeToString("alice:wrong".getBytes());
    long early = used("early", ADDRESS);
    assertThat(http.get("/users", "Authorization", good).statusCode()).isEqualTo(200);
    assertThat(used("users", "user:alice")).isEqualTo(1);
    long late = used("users", ADDRESS);
    assertThat(http.get("/users", "Authorization", bad).statusCode()).isEqualTo(401);
    assertThat(used("users", "user:alice")).isEqualTo(1);
    assertThat(used("users", ADDRESS)).isEqualTo(late);
    assertThat(used("early", ADDRESS)).isEqualTo(early + 2);
  }

  @Test
  @DisplayName("a plan has its limit or is unlimited, an unknown one or none has the strictest")
  void plans() {
    String paid = somebody();
    assertThat(field(http.get("/plans", KEY, paid, "X-Plan", "paid"), "RateLimit"))
        .startsWith("\"plans\";r=49");
    assertThat(field(http.get("/plans", KEY, somebody(), "X-Plan", "gold"), "RateLimit"))
        .startsWith("\"plans\";r=1");
    assertThat(field(http.get("/plans", KEY, somebody()), "RateLimit")).startsWith("\"plans\";r=1");
    String own = somebody();
    for (int i = 0; i < 3; i++) {
      HttpResponse<String> response = http.get("/plans", KEY, own, "X-Plan", "own");
      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(field(response, "RateLimit")).contains("everything").doesNotContain("plans");
    }
    assertThat(field(http.get("/plans", KEY, own, "X-Plan", "UNLIMITED"), "RateLimit"))
        .as("neither is counted before, nor does a request choose to be unlimited")
        .startsWith("\"plans\";r=1");
    assertThat(http.get("/actuator/penstock").body()).contains("\"own\":\"unlimited\"");
  }

  @Test
  @DisplayName(
      "a cost, also as text; what is none counts as 1 and is logged; one above the limit is never"
          + " allowed")
  void costs(CapturedOutput output) {
    String key = somebody();
    assertThat(field(http.get("/costs", KEY, key, "X-Cost", "4"), "RateLimit")).contains("r=6");
    assertThat(field(http.get("/costs", KEY, key, "X-Cost", "-4"), "RateLimit")).contains("r=5");
    assertThat(field(http.get("/costs", KEY, key, "X-Cost", "0"), "RateLimit")).contains("r=4");
    assertThat(field(http.get("/costs", KEY, key), "RateLimit")).contains("r=3");
    assertThat(field(http.get("/cost-texts?n=30", KEY, key), "RateLimit")).contains("r=70");
    assertThat(field(http.get("/cost-texts?n=30.0", KEY, key), "RateLimit")).contains("r=40");
    await()
        .atMost(Duration.ofMinutes(10))
        .until(
            () -> {
              http.get("/cost-texts?n=lots", KEY, somebody());
              return output
                  .getAll()
                  .contains("gave no whole number of at least 1, but a java.lang");
            });
    assertThat(output.getAll()).doesNotContain("lots");
    HttpResponse<String> never = http.get("/costs", KEY, key, "X-Cost", "11");
    assertThat(never.statusCode()).isEqualTo(429);
    assertThat(never.headers().firstValue("Retry-After")).isEmpty();
    assertThat(http.get("/costs", KEY, key, "X-Cost", "" + Long.MAX_VALUE).statusCode())
        .isEqualTo(429);
  }

  @Test
  @DisplayName("skip-if skips only where it is true")
  void skipped(CapturedOutput output) {
    assertThat(field(http.get("/skipped", "X-Skip", "yes"), "RateLimit")).contains("everything");
    assertThat(used("skipped", ADDRESS)).isZero();
    http.get("/skipped", "X-Skip", "no");
    http.get("/skipped"); // throws
    assertThat(used("skipped", ADDRESS)).isEqualTo(2);
    String key = somebody();
    await()
        .atMost(Duration.ofMinutes(10))
        .until(
            () -> {
              http.get("/secrets", KEY, key); // throws, with the key in the message
              return output.getAll().contains("of(#root))} failed: ");
            });
    assertThat(output.getAll()).contains("parseInt").doesNotContain(key);
  }

  @Test
  @DisplayName("no spelling of a path reaches the controller without being counted")
  void paths() {
    int reached = 0;
    for (String path :
        List.of(
            "/login",
            "/login;x=1",
            "/%6cogin",
            "//login",
            "/./login",
            "/x/../login",
            "/login/",
            "/;x/login",
            "/login%3bx=1",
            "/actuator/..;/login",
            "/actuator/../login")) {
      long before = used("login", ADDRESS);
      HttpResponse<String> response = http.get(path);
      if (response.body().equals("hello")) {
        reached++;
        assertThat(used("login", ADDRESS)).as(path).isEqualTo(before + 1);
        assertThat(field(response, "RateLimit")).as(path).contains("login");
      }
    }
    assertThat(reached).isGreaterThanOrEqualTo(3);
    long before = used("login", ADDRESS);
    http.send("HEAD", "/login");
    assertThat(used("login", ADDRESS)).isEqualTo(before + 1);
    http.send("POST", "/login");
    assertThat(used("login", ADDRESS)).isEqualTo(before + 1);
  }

  @Test
  @DisplayName("Actuator's endpoints are not counted, unless a policy excludes nothing")
  void actuator() {
    HttpResponse<String> health = http.get("/actuator/health");
    assertThat(health.headers().firstValue("RateLimit")).isEmpty();
    assertThat(field(http.get("/api/a", KEY, somebody()), "RateLimit")).isNotEmpty();
  }

  @Test
  @DisplayName(
      "the endpoint shows policies and limits; looks at what a subject has used, and resets it")
  void endpoint() {
    assertThat(http.get("/actuator/penstock").body())
        .contains("\"paid\":\"fixed-window:50/1h\"", "\"dryRun\":true", "\"rememberedDenials\"");
    String id = somebody();
    http.get("/limited/" + id);
    String path = "/actuator/penstock/methods/value:" + id;
    assertThat(http.get(path).body()).contains("\"limit\":1", "\"remaining\":0");
    assertThat(used("methods", "value:" + id)).isEqualTo(1);
    assertThat(http.send("DELETE", path).body()).contains("\"remaining\":1");
    assertThat(http.get("/limited/" + id).statusCode()).isEqualTo(200);
    assertThat(http.get("/actuator/penstock/unknown/value:" + id).statusCode()).isEqualTo(404);
  }

  @Test
  @DisplayName(
      "a limit changed at run time counts for all threads at once: a window keeps its count")
  void changedWindow() throws Exception {
    String key = somebody();
    for (int i = 0; i < 2; i++) {
      assertThat(http.get("/changed", KEY, key).statusCode()).isEqualTo(200);
    }
    assertThat(http.get("/changed", KEY, key).statusCode()).isEqualTo(429);
    HttpResponse<String> answer =
        http.post("/actuator/penstock/changed", "{\"limit\":\"fixed-window:20/1h\"}");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body())
        .contains("\"policy\":\"changed\"", "fixed-window:20/1h")
        .contains("other processes keep their limits", "bucket", "starts afresh");
    assertThat(passed("/changed", key)).isEqualTo(18);
    http.post("/actuator/penstock/changed", "{\"limit\":\"fixed-window:2/1h\"}");
    assertThat(passed("/changed", key)).isZero();
  }

  /* How many of 200 requests on 50 connections are allowed. */
  private long passed(String path, String key) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(50);
    List<Future<Integer>> statuses = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      statuses.add(threads.submit(() -> http.get(path, KEY, key).statusCode()));
    }
    List<Integer> seen = new ArrayList<>();
    for (Future<Integer> status : statuses) {
      seen.add(status.get());
    }
    threads.shutdown();
    assertThat(seen).isSubsetOf(200, 429);
    return seen.stream().filter(status -> status == 200).count();
  }

  @Test
  @DisplayName("a bucket that is changed starts afresh; a plan, a policy of methods are changed so")
  void changedOthers() {
    String key = somebody();
    assertThat(field(http.get("/buckets", KEY, key), "RateLimit")).contains("\"buckets\";r=2");
    http.post("/actuator/penstock/buckets", "{\"limit\":\"token-bucket:4/1h\"}");
    assertThat(field(http.get("/buckets", KEY, key), "RateLimit")).contains("\"buckets\";r=3");
    assertThat(field(http.get("/changed-plans", KEY, key), "RateLimit")).contains("r=1");
    http.post(
        "/actuator/penstock/changed-plans", "{\"plan\":\"free\",\"limit\":\"fixed-window:9/1h\"}");
    assertThat(field(http.get("/changed-plans", KEY, key), "RateLimit"))
        .as("the strictest is now the paid plan")
        .contains("r=3");
    String id = somebody();
    assertThat(http.get("/changed-method/" + id).statusCode()).isEqualTo(200);
    assertThat(http.get("/changed-method/" + id).statusCode()).isEqualTo(429);
    http.post("/actuator/penstock/changed-methods", "{\"limit\":\"fixed-window:2/1h\"}");
    assertThat(http.get("/changed-method/" + id).statusCode()).isEqualTo(200);
    assertThat(http.get("/changed-method/" + id).statusCode()).isEqualTo(429);
  }

  @Test
  @DisplayName("a change that cannot be is refused with the rule, and changes nothing")
  void refusedChanges() {
    String before = http.get("/actuator/penstock").body().replaceAll("\"near\".*", "");
    for (String change :
        List.of(
            "plans {\"limit\":\"fixed-window:9/1h\"} plan must be of",
            "plans {\"limit\":\"fixed-window:9/1h\",\"plan\":\"gold\"} gold",
            "crowd {\"limit\":\"fixed-window:9/1h\",\"plan\":\"free\"} plan must be of",
            "crowd {\"limit\":\"fixed-window:9/1x\"} at 15",
            "plans {\"limit\":\"fixed-window:9/1h\",\"plan\":\"own\"} plan must be of",
            "failures {\"limit\":\"interval-bucket:9/1s\"} a fixed or a sliding window",
            "tenants {\"limit\":\"unlimited\",\"plan\":\"small\"} at 0",
            "crowd {\"limit\":\"leaky-bucket:9/1s\"} cannot wait")) {
      String[] parts = change.split(" ", 3);
      HttpResponse<String> answer = http.post("/actuator/penstock/" + parts[0], parts[1]);
      assertThat(answer.statusCode()).as(change).isEqualTo(400);
      assertThat(answer.body()).as(change).contains(parts[2]);
    }
    assertThat(http.post("/actuator/penstock/crowd", "{}").statusCode()).isEqualTo(400);
    assertThat(
            http.post("/actuator/penstock/none", "{\"limit\":\"fixed-window:9/1h\"}").statusCode())
        .isEqualTo(404);
    assertThat(http.get("/actuator/penstock").body()).startsWith(before);
  }

  @Test
  @DisplayName("a browser of an allowed origin reads a denial and its fields; no preflight counts")
  void crossOrigin() {
    String origin = "https://app.example";
    String key = somebody();
    long all = used("everything", ADDRESS);
    HttpResponse<String> preflight =
        http.send(
            "OPTIONS",
            "/crossed",
            "Origin",
            origin,
            "Access-Control-Request-Method",
            "GET",
            KEY,
            key);
    assertThat(preflight.statusCode()).isEqualTo(200);
    assertThat(field(preflight, "Access-Control-Allow-Origin")).isEqualTo(origin);
    assertThat(preflight.headers().firstValue("RateLimit")).isEmpty();
    assertThat(
            http.send(
                    "OPTIONS",
                    "/crossed",
                    "Origin",
                    "https://evil.example",
                    "Access-Control-Request-Method",
                    "GET",
                    KEY,
                    key)
                .statusCode())
        .isEqualTo(403);
    assertThat(used("everything", ADDRESS)).isEqualTo(all);
    assertThat(used("crossed", HeaderSubject.of(key))).isZero();

    assertThat(http.send("OPTIONS", "/crossed", KEY, key).statusCode()).isEqualTo(200);
    assertThat(used("crossed", HeaderSubject.of(key))).as("it reaches a handler").isEqualTo(1);
    HttpResponse<String> allowed = http.get("/crossed", KEY, key, "Origin", origin);
    assertThat(allowed.statusCode()).isEqualTo(200);
    assertThat(readable(allowed)).contains("RateLimit", "RateLimit-Policy", "X-Own");
    HttpResponse<String> denied = http.get("/crossed", KEY, key, "Origin", origin);
    assertThat(denied.statusCode()).isEqualTo(429);
    assertThat(field(denied, "Access-Control-Allow-Origin")).isEqualTo(origin);
    assertThat(readable(denied)).contains("RateLimit", "RateLimit-Policy", "Retry-After");
    HttpResponse<String> foreign = http.get("/crossed", KEY, key, "Origin", "https://evil.example");
    assertThat(foreign.statusCode()).isEqualTo(429);
    assertThat(foreign.headers().firstValue("Access-Control-Allow-Origin")).isEmpty();
    assertThat(http.get("/crossed", KEY, key).headers().map())
        .doesNotContainKey("access-control-expose-headers");
  }

  private static List<String> readable(HttpResponse<String> response) {
    return response.headers().allValues("Access-Control-Expose-Headers").stream()
        .flatMap(value -> List.of(value.split(", *")).stream())
        .toList();
  }

  private JointPolicyRules joint() {
    return new JointPolicyRules(
        http,
        context.getBean(ResponseGate.class),
        context.getBean(JointPolicyRules.DenialCount.class));
  }

  @Test
  @DisplayName("a user and the tenant are charged together or not at all, in one hash tag")
  void allOrNone() {
    joint().allOrNone();
    assertThat(text(redis.call("KEYS", "penstock:members:{header:*}/header:*"))).isNotEqualTo("[]");
    assertThat(text(redis.call("KEYS", "penstock:members:{header:*}:*"))).isEqualTo("[]");
  }

  @Test
  @DisplayName("a user and the tenant are switched each by itself; a plan without a limit")
  void jointSwitches() {
    joint().switches();
  }

  @Test
  @DisplayName("a method's user and tenant are charged together or not at all")
  void jointMethods() {
    joint().methods();
  }

  @Test
  @DisplayName("only failures are charged: what Security refuses, and 30 at once exactly")
  void failures() throws Exception {
    joint().failures();
  }

  @Test
  @DisplayName("six at once under five: the sixth waits for what the others hold")
  void waiting() throws Exception {
    joint().waiting();
  }

  @Test
  @DisplayName("a browser of an allowed origin reads a denial of a controller's method, too")
  void crossOriginMethod() {
    String path = "/denied-method/" + somebody();
    String origin = "https://app.example";
    assertThat(http.get(path, "Origin", origin).statusCode()).isEqualTo(200);
    HttpResponse<String> denied = http.get(path, "Origin", origin);
    assertThat(denied.statusCode()).isEqualTo(429);
    assertThat(field(denied, "Access-Control-Allow-Origin")).isEqualTo(origin);
    assertThat(readable(denied)).contains("RateLimit", "RateLimit-Policy", "Retry-After", "X-Own");
    assertThat(http.get(path, "Origin", "https://evil.example").headers().map())
        .doesNotContainKey("access-control-allow-origin");
  }

  @Test
  @DisplayName("a policy that is switched off passes all and charges none; dry it charges")
  void switchedOff(CapturedOutput output) {
    String key = somebody();
    String subject = "header:" + sha256(key);
    String change = "/actuator/penstock/switched";
    assertThat(http.post(change, "{\"enabled\":false}").body())
        .contains("\"enabled\":false", "other processes keep");
    for (int i = 0; i < 3; i++) {
      HttpResponse<String> response = http.get("/switched", KEY, key);
      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(field(response, "RateLimit")).contains("everything").doesNotContain("switched");
    }
    assertThat(used("switched", subject)).isZero();
    assertThat(gauge("disabled", "switched")).isOne();
    assertThat(http.get("/actuator/penstock").body())
        .contains("\"switched\":{\"at\":\"filter\",\"enabled\":false");
    assertThat(output.getAll()).contains("NOT ENFORCED: policies switched off: [switched]");

    http.post(change, "{\"enabled\":true,\"dryRun\":true}");
    for (int i = 0; i < 3; i++) {
      assertThat(http.get("/switched", KEY, key).statusCode()).isEqualTo(200);
    }
    assertThat(used("switched", subject)).isEqualTo(1);
    assertThat(gauge("disabled", "switched")).isZero();
    assertThat(gauge("dry", "switched")).isOne();

    http.post(change, "{\"dryRun\":false}");
    assertThat(http.get("/switched", KEY, key).statusCode()).isEqualTo(429);
    assertThat(gauge("dry", "switched")).isZero();

    PolicySwitches switches = context.getBean(PolicySwitches.class);
    switches.change("switched", false, null);
    assertThat(http.get("/switched", KEY, key).statusCode()).isEqualTo(200);
    switches.change("switched", true, null);
    assertThat(http.get("/switched", KEY, key).statusCode()).isEqualTo(429);
  }

  private double gauge(String name, String policy) {
    return context
        .getBean(MeterRegistry.class)
        .get("penstock.policies." + name)
        .tag("policy", policy)
        .gauge()
        .value();
  }

  private static String sha256(String text) {
    return HeaderSubject.of(text).replace("header:", "");
  }

  @Test
  @DisplayName("all policies are switched off and on at once, also those at handlers and methods")
  void allSwitchedOff() {
    String id = somebody();
    http.post("/actuator/penstock", "{\"enabled\":false}");
    try {
      for (int i = 0; i < 3; i++) {
        for (String path : List.of("/limited/" + id, "/handled/" + id, "/api/a")) {
          HttpResponse<String> response = http.get(path, KEY, id);
          assertThat(response.statusCode()).as(path).isEqualTo(200);
          assertThat(response.headers().firstValue("RateLimit")).as(path).isEmpty();
        }
      }
      assertThat(http.get("/actuator/penstock").body()).startsWith("{\"enabled\":false");
      assertThat(gauge("disabled", "methods")).isOne();
    } finally {
      http.post("/actuator/penstock", "{\"enabled\":true}");
    }
    assertThat(used("methods", "value:" + id)).isZero();
    assertThat(http.get("/limited/" + id).statusCode()).isEqualTo(200);
    assertThat(http.get("/limited/" + id).statusCode()).isEqualTo(429);
  }

  @Test
  @DisplayName("a switch that is mistyped is refused, and changes nothing")
  void refusedSwitches() {
    String before = http.get("/actuator/penstock").body().replaceAll("\"near\".*", "");
    for (String change :
        List.of(
            "{\"enabled\":\"flase\"}",
            "{\"enabled\":0.5}",
            "{\"dryRun\":\"maybe\"}",
            "{\"enable\":false}",
            "{\"enabled\":false,\"limit\":\"fixed-window:9/1x\"}",
            "{\"enabled\":false,\"plan\":\"free\"}",
            "{}")) {
      assertThat(http.post("/actuator/penstock/crowd", change).statusCode())
          .as(change)
          .isEqualTo(400);
    }
    for (String change : List.of("{\"enabled\":\"of\"}", "{\"dryRun\":true}", "{}")) {
      assertThat(http.post("/actuator/penstock", change).statusCode()).as(change).isEqualTo(400);
    }
    assertThat(http.post("/actuator/penstock/none", "{\"enabled\":false}").statusCode())
        .isEqualTo(404);
    assertThat(http.get("/actuator/penstock").body()).startsWith(before);
  }

  @Test
  @DisplayName(
      "a policy at handlers reads what is known of them, and counts once in all dispatches")
  void handler() {
    String id = somebody();
    assertThat(field(http.get("/handled/" + id), "RateLimit")).startsWith("\"handled\";r=1");
    assertThat(http.get("/handled/" + id).body()).isEqualTo("hello");
    HttpResponse<String> denied = http.get("/handled/" + id);
    assertThat(denied.statusCode()).isEqualTo(429);
    assertThat(field(denied, "Retry-After")).isNotEmpty();
    assertThat(denied.body()).contains("\"violated-policies\":[\"handled\"]");
    assertThat(used("handled", "value:" + id)).isEqualTo(2);
    String later = somebody();
    assertThat(http.get("/async/" + later).body()).isEqualTo("later");
    assertThat(used("handled", "value:" + later)).isEqualTo(1);
    String broken = somebody();
    long address = used("handled", ADDRESS);
    assertThat(http.get("/broken/" + broken).statusCode()).isEqualTo(500);
    assertThat(used("handled", "value:" + broken)).isEqualTo(1);
    assertThat(used("handled", ADDRESS)).isEqualTo(address);
  }

  @Test
  @DisplayName("a policy with leases charges units ahead, which the endpoint and meters show")
  void leases() {
    MeterRegistry registry = context.getBean(MeterRegistry.class);
    await()
        .atMost(Duration.ofMinutes(10))
        .until(
            () -> {
              // Without pauses: a lease is as large as the use of the last 250 ms.
              for (int i = 0; i < 30; i++) {
                assertThat(http.get("/leased").statusCode()).isEqualTo(200);
              }
              return registry.get("penstock.leases.used").functionCounter().count() > 10;
            });
    assertThat(http.get("/actuator/penstock").body()).containsPattern("\"usedUnits\":[1-9]");
  }

  @Test
  @DisplayName("a request counts once in all its dispatches: asynchronous, error page")
  void dispatches() {
    String key = somebody();
    assertThat(http.get("/async", KEY, key).body()).isEqualTo("later");
    HttpResponse<String> missing = http.get("/missing", KEY, key);
    assertThat(missing.statusCode()).isEqualTo(404);
    assertThat(field(missing, "RateLimit")).startsWith("\"dispatched\";r=98").doesNotContain("and");
  }

  @Test
  @DisplayName("a dry run counts, lets everything through and writes nothing")
  void dryRun() {
    for (int i = 0; i < 5; i++) {
      HttpResponse<String> response = http.get("/trial");
      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(field(response, "RateLimit")).contains("everything").doesNotContain("trial");
    }
    MeterRegistry registry = context.getBean(MeterRegistry.class);
    assertThat(
            registry
                .get("penstock.calls")
                .tags("policy", "trial", "outcome", "denied")
                .timers()
                .stream()
                .mapToLong(Timer::count)
                .sum())
        .isEqualTo(3);
    assertThat(registry.get("penstock.circuits.open").gauge().value()).isZero();
  }

  @Test
  @DisplayName("a controller that is denied a call answers 429 with fields and a problem")
  void method() {
    String id = somebody();
    assertThat(http.get("/limited/" + id).body()).isEqualTo("hello");
    HttpResponse<String> denied = http.get("/limited/" + id, "Accept", "application/json");
    assertThat(denied.statusCode()).isEqualTo(429);
    assertThat(field(denied, "RateLimit")).contains("\"methods\";r=0");
    assertThat(field(denied, "Retry-After")).isNotEmpty();
    assertThat(field(denied, "Content-Type")).isEqualTo("application/problem+json");
    assertThat(denied.body()).contains("quota-exceeded", "\"violated-policies\":[\"methods\"]");
    assertThat(used("methods", "value:" + id)).isEqualTo(1);
  }

  @Test
  @DisplayName("a denial is an event of the current observation, once")
  void observed() {
    List<String> events = new CopyOnWriteArrayList<>();
    context
        .getBean(ObservationRegistry.class)
        .observationConfig()
        .observationHandler(
            new ObservationHandler<>() {
              @Override
              public void onEvent(Observation.Event event, Observation.Context observed) {
                if (event.getName().equals("penstock.denied")) {
                  events.add(event.getContextualName());
                }
              }

              @Override
              public boolean supportsContext(Observation.Context any) {
                return true;
              }
            });
    String key = somebody();
    while (http.get("/api/a", KEY, key).statusCode() == 200) {
      assertThat(events).isEmpty();
    }
    assertThat(events).containsExactly("penstock.denied by api");
  }

  @Test
  @DisplayName("a denial where no controller is, is a 429, too")
  void functional() {
    String id = somebody();
    assertThat(http.get("/functional/" + id).body()).isEqualTo("hello");
    HttpResponse<String> denied = http.get("/functional/" + id);
    assertThat(denied.statusCode()).isEqualTo(429);
    assertThat(field(denied, "RateLimit")).contains("\"methods\";r=0");
    assertThat(field(denied, "Retry-After")).isNotEmpty();
    assertThat(denied.body()).contains("\"violated-policies\":[\"methods\"]");
  }

  @Test
  @DisplayName("50 connections pass as often as the limit says")
  void crowd() throws Exception {
    assertThat(passed("/crowd", somebody())).isEqualTo(5);
  }

  @Test
  @DisplayName("what is set up wrong is a 503, whatever on-unavailable says, and no stack trace")
  void mistake(CapturedOutput output) {
    String key = somebody();
    http.get("/mistaken", KEY, key);
    String stored = text(((List<?>) redis.call("KEYS", "penstock:mistaken:*")).get(0));
    redis.call("DEL", stored);
    redis.call("SADD", stored, "somebody else's");
    HttpResponse<String> response = http.get("/mistaken", KEY, key);
    assertThat(response.statusCode()).isEqualTo(503);
    assertThat(response.body()).contains("temporary-reduced-capacity");
    assertThat(output.getAll()).contains("policy mistaken: a call was not decided on");
    assertThat(output.getAll()).doesNotContain("\tat io.github.penstock").doesNotContain(key);
  }

  private boolean isEnforced(String path, String key) {
    return http.get(path, KEY, key).headers().firstValue("RateLimit").isPresent();
  }

  @Test
  @DisplayName(
      "Redis killed, stopped and halted: open passes, the others answer 503; then all are limited"
          + " again")
  void outages() {
    LettuceConnectionFactory factory = context.getBean(LettuceConnectionFactory.class);
    List<Runnable> ends = List.of(redis::kill, redis::stop, redis::freeze);
    List<Runnable> begins = List.of(redis::restart, redis::restart, redis::thaw);
    for (int i = 0; i < ends.size(); i++) {
      allEnforced();
      ends.get(i).run();
      try {
        HttpResponse<String> open = http.get("/open", KEY, somebody());
        assertThat(open.statusCode()).isEqualTo(200);
        assertThat(open.headers().firstValue("RateLimit")).isEmpty();
        assertThat(http.get("/shared-open", KEY, somebody()).statusCode()).isEqualTo(200);
        for (String path : List.of("/shut", "/thrown", "/held-shut")) {
          HttpResponse<String> response = http.get(path, KEY, somebody());
          assertThat(response.statusCode()).isEqualTo(503);
          assertThat(field(response, "Retry-After")).isEqualTo("1");
          assertThat(field(response, "Content-Type")).isEqualTo("application/problem+json");
          assertThat(response.body()).contains("temporary-reduced-capacity");
        }
      } finally {
        begins.get(i).run();
      }
      allEnforced();
    }
    factory.resetConnection();
    allEnforced();
    factory.stop();
    factory.start();
    allEnforced();
    redis.call("FLUSHALL");
  }

  private void allEnforced() {
    for (String path : List.of("/open", "/shut", "/thrown", "/shared-open", "/held-shut")) {
      await().atMost(Duration.ofMinutes(10)).until(() -> isEnforced(path, somebody()));
    }
  }
}
