package io.github.penstock.examples.web;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.penstock.testkit.server.ServerInterval;
import io.github.penstock.testkit.server.ServerProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;

/** Over real HTTP, on a real Redis. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "penstock.deadline=2s")
@Import(EmbeddedRedis.class)
@ExtendWith(OutputCaptureExtension.class)
class LimitedWebTest {
  private static final int CONNECTIONS = 50;
  private static final int BURST = 5;
  private static final int LATER = 3;
  private static final String MISTAKEN =
      "penstock:api:{header:ba7ff6a98b7dd5ab962941b70d1d93e5feec35f627b7e54e0727f92d6370b2bc}:b5.1.1000000";
  private static final String LOST = ": calls are allowed without the server";

  @Autowired private ServerProcess redis;
  @LocalServerPort private int port;
  private final HttpClient http = client();

  @Test
  @DisplayName("50 connections: 5 requests pass at once, and then 1 a second by the server's clock")
  void burstThenRate() throws InterruptedException, ExecutionException {
    ServerInterval interval = ServerInterval.begin(redis);
    AtomicInteger passed = new AtomicInteger();
    ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);
    List<Future<Integer>> denied = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS; i++) {
      denied.add(threads.submit(() -> deniedUntil(passed, interval)));
    }
    int sum = 0;
    for (Future<Integer> each : denied) {
      sum += each.get();
    }
    threads.shutdown();
    assertThat(threads.awaitTermination(60, SECONDS)).isTrue();
    assertThat(sum).isPositive();
    assertThat(passed).hasValueGreaterThanOrEqualTo(BURST + LATER);
  }

  /* A request that passes as the n-th does so no sooner than n - 5 seconds after the first. */
  private int deniedUntil(AtomicInteger passed, ServerInterval interval)
      throws IOException, InterruptedException {
    HttpClient own = client();
    int denied = 0;
    while (passed.get() < BURST + LATER) {
      HttpResponse<String> response = get(own, "/greeting", "burst");
      if (isUndecided(response)) {
        continue; // this machine was too slow for the deadline
      }
      if (response.statusCode() == 200) {
        int count = passed.incrementAndGet();
        assertThat(interval.elapsed()).isGreaterThanOrEqualTo(Duration.ofSeconds(count - BURST));
        assertThat(response.body()).isEqualTo("hello");
      } else {
        denied++;
        assertThat(response.statusCode()).isEqualTo(429);
        assertThat(field(response, "Retry-After")).isEqualTo("1");
        assertThat(field(response, "RateLimit-Policy")).isEqualTo("\"api\";q=5;w=5");
        assertThat(field(response, "RateLimit")).isEqualTo("\"api\";r=0;t=1");
        assertThat(field(response, "Content-Type")).isEqualTo("application/problem+json");
        assertThat(response.body()).contains("quota-exceeded", "\"violated-policies\":[\"api\"]");
      }
    }
    return denied;
  }

  @Test
  @DisplayName("without Redis requests pass, which the log tells once; with Redis they are limited")
  void outage(CapturedOutput output) throws IOException, InterruptedException {
    await().atMost(Duration.ofMinutes(1)).until(this::limitedForASecond);
    long before = times(output, LOST);
    redis.stop();
    for (int i = 0; i < 2; i++) {
      HttpResponse<String> response = get(http, "/greeting", "outage" + i);
      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(isUndecided(response)).isTrue();
    }
    assertThat(times(output, LOST)).isEqualTo(before + 1);
    redis.restart();
    await().atMost(Duration.ofMinutes(1)).until(() -> limited("outage"));
  }

  /* After that no outage is going on for the log. */
  private boolean limitedForASecond() throws IOException, InterruptedException {
    boolean limited = limited("outage");
    SECONDS.sleep(1);
    return limited && limited("outage");
  }

  @Test
  @DisplayName("each caller has its own limit, and an error page is not counted again")
  void callers() throws IOException, InterruptedException {
    assertThat(field(decided("/greeting"), "RateLimit")).startsWith("\"api\";r=4");
    HttpResponse<String> missing = decided("/missing");
    assertThat(missing.statusCode()).isEqualTo(404);
    assertThat(missing.headers().allValues("RateLimit")).hasSize(1);
    assertThat(field(missing, "RateLimit")).startsWith("\"api\";r=4");
    String ofAddress = "penstock:api:{address:127.0.0.1}:b5.1.1000000";
    HttpRequest nameless = HttpRequest.newBuilder(URI.create(url("/greeting"))).build();
    await()
        .atMost(Duration.ofMinutes(1))
        .until(
            () ->
                !isUndecided(http.send(nameless, BodyHandlers.ofString()))
                    && Long.valueOf(1).equals(redis.call("EXISTS", ofAddress)));
  }

  /* A caller's first request; another one's, where this machine was too slow for the deadline. */
  private HttpResponse<String> decided(String path) {
    return await()
        .atMost(Duration.ofMinutes(1))
        .until(
            () -> get(http, path, UUID.randomUUID().toString()),
            response -> !isUndecided(response));
  }

  @Test
  @DisplayName("a limiter that cannot decide is no 500")
  void mistake() throws IOException, InterruptedException {
    awaitDecisions();
    redis.call("SADD", MISTAKEN, "somebody else's");
    assertThat(get(http, "/greeting", "mistaken").statusCode()).isEqualTo(503);
  }

  private void awaitDecisions() {
    await().atMost(Duration.ofMinutes(1)).until(() -> limited("ready"));
  }

  /** Whether a request of this caller is decided by the server. */
  boolean limited(String apiKey) throws IOException, InterruptedException {
    return !isUndecided(get(http, "/greeting", apiKey));
  }

  private static boolean isUndecided(HttpResponse<?> response) {
    return response.headers().firstValue("RateLimit").isEmpty();
  }

  private HttpResponse<String> get(HttpClient client, String path, String apiKey)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url(path))).header("X-Api-Key", apiKey).build();
    return client.send(request, BodyHandlers.ofString());
  }

  private String url(String path) {
    return "http://127.0.0.1:" + port + path;
  }

  private static HttpClient client() {
    return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  }

  private static String field(HttpResponse<?> response, String name) {
    return response.headers().firstValue(name).orElse("none");
  }

  private static long times(CharSequence output, String words) {
    return Pattern.compile(words, Pattern.LITERAL).matcher(output).results().count();
  }
}
