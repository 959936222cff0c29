package io.github.penstock.spring;

import static io.github.penstock.spring.HttpCaller.field;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.penstock.core.AcquiredUnits;
import io.github.penstock.core.LimiterCall;
import io.github.penstock.core.RateLimitListener;
import io.github.penstock.core.reserve.ReservationEvent;
import io.github.penstock.spring.internal.subject.HeaderSubject;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * What policies do over HTTP that are decided by reservations: with another one, or by the
 * response.
 *
 * @param http the application of limits.yaml
 * @param gate holds its responses back
 * @param denials of reservations
 */
record JointPolicyRules(HttpCaller http, ResponseGate gate, DenialCount denials) {
  private static final String KEY = "X-Api-Key";
  private static final String TENANT = "X-Tenant";
  private static final int AT_ONCE = 30;

  /** Counts what reservations deny. */
  static final class DenialCount implements RateLimitListener {
    private final AtomicInteger denied = new AtomicInteger();

    @Override
    public void onDecision(LimiterCall call, AcquiredUnits acquired, RuntimeException cause) {
      return; // limiters are counted elsewhere
    }

    @Override
    public void onReservation(ReservationEvent event) {
      if (event.kind() == ReservationEvent.Kind.DENIED && event.answer().enforced()) {
        denied.incrementAndGet();
      }
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class DenialCounting {
    @Bean
    DenialCount denialCount() {
      return new DenialCount();
    }
  }

  private static String somebody() {
    return UUID.randomUUID().toString();
  }

  private HttpResponse<String> shared(String user, String tenant, String... more) {
    List<String> headers = new ArrayList<>(List.of(KEY, user, TENANT, tenant));
    headers.addAll(List.of(more));
    return http.get("/shared", headers.toArray(String[]::new));
  }

  private String left(String tenant) {
    String path = "/actuator/penstock/tenants/" + HeaderSubject.of(tenant);
    return http.get(path).body().replaceAll(".*\"small\":[{][^}]*\"remaining\":([0-9]+).*", "$1");
  }

  /** A user and a tenant are charged together, or none of them. */
  void allOrNone() {
    String tenant = somebody();
    String first = somebody();
    for (int left = 2; left >= 0; left--) {
      HttpResponse<String> response = shared(first, tenant);
      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(field(response, "RateLimit")).startsWith("\"members\";r=" + left);
    }
    HttpResponse<String> denied = shared(first, tenant);
    assertThat(denied.statusCode()).isEqualTo(429);
    assertThat(field(denied, "RateLimit")).startsWith("\"members\";r=0");
    assertThat(denied.body()).contains("\"violated-policies\":[\"members\"]");
    assertThat(left(tenant)).as("the tenant is not charged for it").isEqualTo("2");

    String second = somebody();
    assertThat(field(shared(second, tenant), "RateLimit")).startsWith("\"tenants\";r=1");
    assertThat(shared(second, tenant).statusCode()).isEqualTo(200);
    HttpResponse<String> full = shared(second, tenant);
    assertThat(full.statusCode()).isEqualTo(429);
    assertThat(full.body()).contains("\"violated-policies\":[\"tenants\"]");
    assertThat(Long.parseLong(field(full, "Retry-After"))).isBetween(1L, 3600L);
    assertThat(field(shared(second, tenant, "X-Plan", "large"), "RateLimit"))
        .as("the denial has charged the user nothing")
        .startsWith("\"members\";r=0");
    assertThat(shared(first, somebody()).statusCode())
        .as("a user of two tenants has two counts")
        .isEqualTo(200);
    assertThat(http.get("/actuator/penstock/members/" + HeaderSubject.of(first)).statusCode())
        .isEqualTo(400);
    assertThat(http.send("DELETE", "/actuator/penstock/members/header:a").body())
        .contains("decided by reservations");
  }

  /** Each policy is switched by itself; an unlimited plan is not counted. */
  void switches() {
    String tenant = somebody();
    String user = somebody();
    for (int i = 0; i < 3; i++) {
      assertThat(shared(user, tenant, "X-Plan", "own").statusCode()).isEqualTo(200);
    }
    assertThat(shared(user, tenant, "X-Plan", "own").statusCode())
        .as("the user's limit holds where the tenant has none")
        .isEqualTo(429);
    assertThat(left(tenant)).isEqualTo("5");
    change("tenants", "{\"dryRun\":true}");
    try {
      for (int i = 0; i < 7; i++) {
        HttpResponse<String> response = shared(somebody(), tenant);
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(field(response, "RateLimit")).doesNotContain("tenants");
      }
      assertThat(left(tenant)).isEqualTo("0");
      change("tenants", "{\"dryRun\":false,\"enabled\":false}");
      assertThat(shared(somebody(), tenant).statusCode()).isEqualTo(200);
    } finally {
      change("tenants", "{\"dryRun\":false,\"enabled\":true}");
    }
    String other = somebody();
    change("members", "{\"enabled\":false}");
    try {
      for (int i = 0; i < 5; i++) {
        assertThat(field(shared(user, other), "RateLimit")).contains("tenants");
      }
      assertThat(shared(user, other).statusCode()).isEqualTo(429);
    } finally {
      change("members", "{\"enabled\":true}");
    }
    assertThat(shared(user, somebody()).statusCode()).isEqualTo(200);
  }

  private void change(String policy, String change) {
    assertThat(http.post("/actuator/penstock/" + policy, change).statusCode()).isEqualTo(200);
  }

  /** The same before methods. */
  void methods() {
    String tenant = somebody();
    String first = somebody();
    String second = somebody();
    assertThat(method(first, tenant).statusCode()).isEqualTo(200);
    assertThat(method(first, tenant).statusCode()).isEqualTo(200);
    assertThat(method(first, tenant).body()).contains("[\"member-methods\"]");
    assertThat(method(second, tenant).statusCode()).isEqualTo(200);
    HttpResponse<String> denied = method(second, tenant);
    assertThat(denied.statusCode()).isEqualTo(429);
    assertThat(denied.body()).contains("[\"tenant-methods\"]");
    assertThat(method(first, somebody()).statusCode()).isEqualTo(200);
  }

  private HttpResponse<String> method(String user, String tenant) {
    return http.get("/shared-method/" + user + "/" + tenant);
  }

  /** Only the responses that are named are charged, exactly, also those that come at once. */
  void failures() throws Exception {
    String right = somebody();
    for (String path : List.of("/answers/200", "/later/204", "/answers/404", "/gated/500")) {
      for (int i = 0; i < 6; i++) {
        assertThat(http.get(path, KEY, right).statusCode())
            .isEqualTo(Integer.parseInt(path.replaceAll("\\D", "")));
      }
    }
    String good = "Basic " + basic("alice:pass");
    String wrong = "Basic " + basic("alice:wrong");
    for (int i = 0; i < 6; i++) {
      assertThat(http.get("/users", KEY, right, "Authorization", good).statusCode()).isEqualTo(200);
    }
    int charged = 0;
    for (String path : List.of("/answers/401", "/answers/403", "/later/401")) {
      assertThat(http.get(path, KEY, right).statusCode()).isIn(401, 403);
      charged++;
    }
    while (charged++ < 5) {
      assertThat(http.get("/users", KEY, right, "Authorization", wrong).statusCode())
          .as("what Spring Security refuses")
          .isEqualTo(401);
    }
    HttpResponse<String> denied = http.get("/answers/200", KEY, right);
    assertThat(denied.statusCode()).isEqualTo(429);
    assertThat(denied.body()).contains("[\"failures\"]");
    assertThat(Long.parseLong(field(denied, "Retry-After"))).isBetween(60L, 3600L);

    String attacked = somebody();
    List<Integer> seen =
        atOnce(AT_ONCE, () -> http.get("/answers/401", KEY, attacked).statusCode());
    assertThat(seen).isSubsetOf(401, 429);
    assertThat(seen.stream().filter(status -> status == 401).count()).isEqualTo(5);
  }

  private static String basic(String credentials) {
    return Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
  }

  /** Six at once under 5: the sixth waits for what is held, and is served or denied by that. */
  void waiting() throws Exception {
    for (int status : List.of(200, 401)) {
      String key = somebody();
      ExecutorService threads = Executors.newFixedThreadPool(6);
      gate.close();
      try {
        List<Future<Integer>> first = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
          first.add(threads.submit(() -> http.get("/gated/" + status, KEY, key).statusCode()));
        }
        await().atMost(Duration.ofMinutes(10)).until(() -> gate.waiting() == 5);
        int before = denials.denied.get();
        Future<Integer> sixth =
            threads.submit(() -> http.get("/answers/200", KEY, key).statusCode());
        await().atMost(Duration.ofMinutes(10)).until(() -> denials.denied.get() > before);
        gate.open();
        for (Future<Integer> each : first) {
          assertThat(each.get()).isEqualTo(status);
        }
        assertThat(sixth.get()).isEqualTo(status == 200 ? 200 : 429);
      } finally {
        gate.open();
        threads.shutdown();
      }
    }
  }

  private static List<Integer> atOnce(int calls, IntSupplier call) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(calls);
    try {
      List<Future<Integer>> futures = new ArrayList<>();
      for (int i = 0; i < calls; i++) {
        futures.add(threads.submit(call::getAsInt));
      }
      List<Integer> seen = new ArrayList<>();
      for (Future<Integer> each : futures) {
        seen.add(each.get());
      }
      return seen;
    } finally {
      threads.shutdown();
    }
  }
}
