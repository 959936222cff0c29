package io.github.penstock.spring.internal.gateway;

import static io.github.penstock.spring.HttpCaller.field;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.github.penstock.spring.HttpCaller;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cloud.gateway.filter.ratelimit.KeyResolver;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.gateway.route.builder.RouteLocatorBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.server.SecurityWebFilterChain;
import reactor.core.publisher.Mono;

/** The routes of gateway.yaml over HTTP, through a real gateway, on a real Redis. */
class RouteLimitsTest {
  private static final String KEY = "X-Api-Key";
  private static ServerProcess redis;
  private static HttpServer upstream;
  private static ConfigurableApplicationContext context;
  private static HttpCaller http;

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class GatewayApplication {
    @Bean
    SecurityWebFilterChain security(ServerHttpSecurity http) {
      return http.csrf(csrf -> csrf.disable())
          .authorizeExchange(exchanges -> exchanges.anyExchange().permitAll())
          .build();
    }

    @Bean
    KeyResolver keys() {
      return exchange -> Mono.justOrEmpty(exchange.getRequest().getHeaders().getFirst(KEY));
    }

    /* A route in code that names no policy. */
    @Bean
    RouteLocator unnamed(RouteLocatorBuilder routes, RouteRateLimiter limiter) {
      return routes
          .routes()
          .route(
              "unnamed",
              route ->
                  route
                      .path("/unnamed")
                      .filters(
                          filters ->
                              filters.requestRateLimiter(limit -> limit.setRateLimiter(limiter)))
                      .uri("http://127.0.0.1:1"))
          .build();
    }
  }

  private static String[] arguments(String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--spring.config.name=gateway",
                "--spring.main.web-application-type=reactive",
                "--spring.cloud.gateway.server.webflux.enabled=true",
                "--spring.cloud.gateway.server.webflux.redis.enabled=true",
                "--server.port=0",
                "--upstream=http://127.0.0.1:" + upstream.getAddress().getPort(),
                "--spring.data.redis.port=" + redis.url().port()));
    arguments.addAll(List.of(more));
    return arguments.toArray(String[]::new);
  }

  @BeforeAll
  static void start() throws IOException {
    redis = new EmbeddedServer().start();
    upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    upstream.createContext(
        "/",
        exchange -> {
          byte[] hello = "hello".getBytes(StandardCharsets.US_ASCII);
          String status = exchange.getRequestHeaders().getFirst("X-Status");
          exchange.sendResponseHeaders(
              status == null ? 200 : Integer.parseInt(status), hello.length);
          exchange.getResponseBody().write(hello);
          exchange.close();
        });
    upstream.start();
    context = SpringApplication.run(GatewayApplication.class, arguments());
    http = new HttpCaller(context.getEnvironment().getProperty("local.server.port", int.class, 0));
  }

  @AfterAll
  static void stop() {
    context.close();
    upstream.stop(0);
    redis.close();
  }

  private static String somebody() {
    return UUID.randomUUID().toString();
  }

  @Test
  @DisplayName("several limits, of minutes and hours: fields of the strictest, and Retry-After")
  void several() {
    String key = somebody();
    HttpResponse<String> first = http.get("/both", KEY, key);
    assertThat(first.body()).isEqualTo("hello");
    assertThat(field(first, "RateLimit")).startsWith("\"minutes\";r=1").doesNotContain("and");
    assertThat(field(first, "RateLimit-Policy")).isEqualTo("\"minutes\";q=2;w=60");
    String other = somebody();
    for (int left = 2; left >= 0; left--) {
      assertThat(field(http.get("/hours", KEY, other), "RateLimit"))
          .contains("\"hours\";r=" + left);
    }
    HttpResponse<String> denied = http.get("/both", KEY, other);
    assertThat(denied.statusCode()).isEqualTo(429);
    assertThat(field(denied, "RateLimit")).startsWith("\"hours\";r=0");
    assertThat(Long.parseLong(field(denied, "Retry-After"))).isBetween(60L, 3600L);
  }

  @Test
  @DisplayName("a cost of the policy; a dry run is counted and denies nothing")
  void cost() {
    String key = somebody();
    assertThat(field(http.get("/costly", KEY, key), "RateLimit")).contains("\"costly\";r=6");
    assertThat(field(http.get("/costly", KEY, key), "RateLimit")).contains("\"costly\";r=2");
    HttpResponse<String> denied = http.get("/costly", KEY, key);
    assertThat(denied.statusCode()).isEqualTo(429);
    assertThat(Long.parseLong(field(denied, "Retry-After"))).isPositive();
    assertThat(http.get("/actuator/penstock/trial/value:" + key).body())
        .contains("\"remaining\":0");
  }

  @Test
  @DisplayName("Redis does not answer: a request passes, or is a 503, before Redis is back")
  void outage() {
    redis.freeze();
    try {
      HttpResponse<String> open = http.get("/open", KEY, somebody());
      assertThat(open.statusCode()).isEqualTo(200);
      assertThat(open.headers().firstValue("RateLimit")).isEmpty();
      HttpResponse<String> shut = http.get("/shut", KEY, somebody());
      assertThat(shut.statusCode()).isEqualTo(503);
      assertThat(field(shut, "Retry-After")).isEqualTo("1");
      assertThat(field(shut, "Content-Type")).isEqualTo("application/problem+json");
      assertThat(shut.body()).contains("temporary-reduced-capacity");
    } finally {
      redis.thaw();
    }
  }

  @Test
  @DisplayName("what is set up wrong is a 503, whatever on-unavailable says; so is a bare route")
  void mistake() {
    String key = somebody();
    http.get("/mistaken", KEY, key);
    List<?> keys = (List<?>) redis.call("KEYS", "penstock:mistaken:{value:" + key + "}*");
    String stored = keys.get(0).toString();
    redis.call("DEL", stored);
    redis.call("SADD", stored, "somebody else's");
    assertThat(http.get("/mistaken", KEY, key).statusCode()).isEqualTo(503);
    assertThat(http.get("/unnamed", KEY, key).statusCode()).isEqualTo(503);
  }

  @Test
  @DisplayName("a limit of a route is changed at run time")
  void changed() {
    String key = somebody();
    assertThat(field(http.get("/open", KEY, key), "RateLimit")).contains("r=4");
    http.post("/actuator/penstock/open", "{\"limit\":\"fixed-window:9/1h\"}");
    assertThat(field(http.get("/open", KEY, key), "RateLimit")).contains("r=7");
    http.post("/actuator/penstock/open", "{\"limit\":\"fixed-window:5/1h\"}");
  }

  @Test
  @DisplayName("a policy of a route is switched off and runs dry at run time; what is none is not")
  void switched() {
    String key = somebody();
    String change = "/actuator/penstock/switched";
    String used = change + "/value:" + key;
    assertThat(http.post(change, "{\"enabled\":false}").statusCode()).isEqualTo(200);
    for (int i = 0; i < 3; i++) {
      HttpResponse<String> response = http.get("/switched", KEY, key);
      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(response.headers().firstValue("RateLimit")).isEmpty();
    }
    assertThat(http.get(used).body()).contains("\"remaining\":1");
    http.post(change, "{\"enabled\":true,\"dryRun\":true}");
    for (int i = 0; i < 3; i++) {
      HttpResponse<String> response = http.get("/switched", KEY, key);
      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(response.headers().firstValue("RateLimit")).isEmpty();
    }
    assertThat(http.get(used).body()).contains("\"remaining\":0");
    assertThat(http.post(change, "{\"dryRun\":\"offf\"}").statusCode()).isEqualTo(400);
    http.post(change, "{\"dryRun\":false}");
    assertThat(http.get("/switched", KEY, key).statusCode()).isEqualTo(429);
    http.post("/actuator/penstock", "{\"enabled\":false}");
    assertThat(http.get("/switched", KEY, key).statusCode()).isEqualTo(200);
    http.post("/actuator/penstock", "{\"enabled\":true}");
    assertThat(http.get("/switched", KEY, key).statusCode()).isEqualTo(429);
  }

  @Test
  @DisplayName("a key and a tenant of the request are charged together or not at all")
  void allOrNone() {
    String tenant = somebody();
    String first = somebody();
    String second = somebody();
    for (int left = 2; left >= 0; left--) {
      assertThat(field(member(first, tenant), "RateLimit")).startsWith("\"members\";r=" + left);
    }
    assertThat(member(first, tenant).statusCode()).isEqualTo(429);
    assertThat(field(member(second, tenant), "RateLimit")).startsWith("\"tenants\";r=1");
    assertThat(member(second, tenant).statusCode()).isEqualTo(200);
    HttpResponse<String> denied = member(second, tenant);
    assertThat(denied.statusCode()).isEqualTo(429);
    assertThat(field(denied, "RateLimit")).startsWith("\"tenants\";r=0");
    http.post("/actuator/penstock/tenants", "{\"limit\":\"fixed-window:50/1h\"}");
    assertThat(field(member(second, tenant), "RateLimit"))
        .as("the denial has charged the key nothing")
        .startsWith("\"members\";r=0");
    http.post("/actuator/penstock/tenants", "{\"limit\":\"fixed-window:5/1h\"}");
  }

  private static HttpResponse<String> member(String key, String tenant) {
    return http.get("/members", KEY, key, "X-Tenant", tenant);
  }

  @Test
  @DisplayName("a route is charged for the responses that are named, and no other")
  void failures() {
    String key = somebody();
    for (String status : List.of("200", "404", "503", "200", "401", "403", "401")) {
      assertThat(http.get("/failures", KEY, key, "X-Status", status).statusCode())
          .isEqualTo(Integer.parseInt(status));
    }
    assertThat(http.get("/failures", KEY, key, "X-Status", "200").statusCode()).isEqualTo(429);
  }

  @Test
  @DisplayName("a route that names the gateway's own limiter keeps it")
  void own() {
    HttpResponse<String> response = http.get("/own", KEY, somebody());
    assertThat(field(response, "X-RateLimit-Burst-Capacity")).isEqualTo("7");
    assertThat(response.headers().firstValue("RateLimit")).isEmpty();
  }

  @Test
  @DisplayName("a policy in a filter limits routes, too")
  void filter() {
    HttpResponse<String> response = http.get("/hours", KEY, somebody());
    assertThat(field(response, "RateLimit")).contains("hours").contains("filtered");
  }

  @Test
  @DisplayName("a route that names no policy of the gateway's ends the start")
  void wrong() {
    for (String name : List.of("none", "filtered")) {
      assertThatThrownBy(() -> startWithDefault("hours," + name))
          .hasStackTraceContaining(
              "default-filters[0].args.penstock.policies: must be of policies at: gateway: \""
                  + name);
    }
  }

  @Test
  @DisplayName("a second filter of a route ends the start: it would ask the policies of the last")
  void second() {
    assertThatThrownBy(() -> startWithDefault("hours"))
        .hasStackTraceContaining("routes[0].filters: a route has one RequestRateLimiter");
  }

  private static void startWithDefault(String policies) {
    String filter = "--spring.cloud.gateway.server.webflux.default-filters[0].";
    SpringApplication.run(
            GatewayApplication.class,
            arguments(
                filter + "name=RequestRateLimiter", filter + "args[penstock.policies]=" + policies))
        .close();
  }
}
