package io.github.penstock.spring.packaged;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.penstock.spring.HttpCaller;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A service that {@code java -jar} starts, with a file of YAML and nothing else. */
class PackagedApplicationTest {
  private static final Pattern STARTED = Pattern.compile("Tomcat started on port (\\d+)");
  private static final Pattern READY = Pattern.compile("Started PackagedApplication in");
  private static final String KEY = "X-Api-Key";
  private static final int CONNECTIONS = 50;
  @TempDir private Path directory;

  @ParameterizedTest
  @DisplayName(
      "it limits 50 connections; Redis killed, stopped and restarted; also processed ahead of time")
  @ValueSource(booleans = {false, true})
  void limits(boolean ahead) throws Exception {
    Path jar = new ApplicationJar(directory).make(ahead);
    if (ahead) {
      assertThat(directory.resolve("classes").toFile())
          .as("the proxy of the annotated method")
          .isDirectoryRecursivelyContaining("glob:**GreetingController$$SpringCGLIB$$0.class");
    }
    try (var yaml = getClass().getResourceAsStream("/packaged.yaml")) {
      Files.write(directory.resolve("application.yaml"), yaml.readAllBytes());
    }
    Path log = directory.resolve("log");
    try (ServerProcess redis = new EmbeddedServer().start()) {
      Process process = start(jar, ahead, redis, log);
      try {
        HttpCaller http = new HttpCaller(port(process, log));
        enforces(http);
        List<Runnable> ends = List.of(redis::kill, redis::stop, redis::freeze);
        List<Runnable> begins = List.of(redis::restart, redis::restart, redis::thaw);
        for (int i = 0; i < (ahead ? 1 : ends.size()); i++) {
          survives(http, ends.get(i), begins.get(i));
        }
        assertThat(Files.readString(log)).doesNotContain("\tat ");
      } finally {
        process.destroyForcibly().waitFor();
      }
    }
  }

  private Process start(Path jar, boolean ahead, ServerProcess redis, Path log) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            ApplicationJar.java(), "-Dspring.aot.enabled=" + ahead, "-jar", jar.toString());
    builder.environment().put("REDIS_PORT", "" + redis.url().port());
    builder.directory(directory.toFile()).redirectErrorStream(true).redirectOutput(log.toFile());
    return builder.start();
  }

  private static int port(Process process, Path log) throws IOException {
    await()
        .atMost(Duration.ofMinutes(10))
        .until(
            () -> {
              String said = Files.readString(log);
              assertThat(process.isAlive()).as(said).isTrue();
              return READY.matcher(said).find();
            });
    Matcher started = STARTED.matcher(Files.readString(log));
    assertThat(started.find()).isTrue();
    return Integer.parseInt(started.group(1));
  }

  private static void enforces(HttpCaller http) throws Exception {
    String key = somebody();
    List<Callable<Integer>> requests = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      requests.add(() -> http.get("/api", KEY, key).statusCode());
    }
    ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);
    List<Integer> statuses = new ArrayList<>();
    for (Future<Integer> status : threads.invokeAll(requests)) {
      statuses.add(status.get());
    }
    threads.shutdown();
    assertThat(statuses).containsOnly(200, 429);
    assertThat(statuses.stream().filter(status -> status == 200)).hasSize(20);
    assertThat(HttpCaller.field(http.get("/handled/a?plan=paid"), "RateLimit"))
        .as("a cost and a plan by expressions")
        .startsWith("\"handled\";r=7");
    assertThat(http.get("/methods/a").statusCode()).isEqualTo(200);
    assertThat(http.get("/methods/a").statusCode()).isEqualTo(429);
    assertThat(http.get("/actuator/penstock").body()).contains("fixed-window:20/1h");
  }

  private static void survives(HttpCaller http, Runnable end, Runnable begin) throws Exception {
    await().atMost(Duration.ofMinutes(10)).until(() -> isLimited(http, "/open"));
    await().atMost(Duration.ofMinutes(10)).until(() -> isLimited(http, "/shut"));
    AtomicBoolean over = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);
    List<Future<?>> loops = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS; i++) {
      loops.add(threads.submit(() -> callUntil(over, http)));
    }
    end.run();
    try {
      assertThat(http.get("/open", KEY, somebody()).statusCode()).isEqualTo(200);
      await()
          .atMost(Duration.ofMinutes(10))
          .until(() -> http.get("/shut", KEY, somebody()).statusCode() == 503);
    } finally {
      begin.run();
    }
    await().atMost(Duration.ofMinutes(10)).until(() -> isLimited(http, "/open"));
    await().atMost(Duration.ofMinutes(10)).until(() -> isLimited(http, "/shut"));
    over.set(true);
    for (Future<?> loop : loops) {
      loop.get();
    }
    threads.shutdown();
  }

  private static Void callUntil(AtomicBoolean over, HttpCaller http) throws InterruptedException {
    while (!over.get()) {
      MILLISECONDS.sleep(100);
      assertThat(http.get("/open", KEY, somebody()).statusCode()).isEqualTo(200);
      assertThat(http.get("/shut", KEY, somebody()).statusCode()).isIn(200, 503);
    }
    return null;
  }

  private static boolean isLimited(HttpCaller http, String path) {
    return http.get(path, KEY, somebody()).headers().firstValue("RateLimit").isPresent();
  }

  private static String somebody() {
    return UUID.randomUUID().toString();
  }
}
