package io.github.penstock.compat;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.compat.script.LimitSetting;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import io.github.penstock.testkit.resp.RespConnection;
import io.github.penstock.testkit.script.ScriptAnswer;
import io.github.penstock.testkit.script.ScriptClient;
import io.github.penstock.testkit.script.ScriptForm;
import io.github.penstock.testkit.server.TestServer;
import io.github.penstock.testkit.server.TestServers;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ConcurrencyTest {
  private static final int THREADS = 64;
  private static final int CALLS_PER_THREAD = 50;
  private static final long LIMIT = 1000;
  private static final long DAY_US = 86_400_000_000L;

  static Stream<Arguments> serversAndScripts() {
    return TestServers.all().stream()
        .flatMap(
            server ->
                Stream.of(ScriptAlgorithm.values()).map(script -> Arguments.of(server, script)));
  }

  @ParameterizedTest
  @MethodSource("serversAndScripts")
  @DisplayName("P4 P7 64 threads on one key get exactly the limit, at the server's time")
  void serversTime(TestServer server, ScriptAlgorithm script) throws Exception {
    assertThat(admitted(server, script, List.of())).isEqualTo(LIMIT);
  }

  @ParameterizedTest
  @MethodSource("serversAndScripts")
  @DisplayName("P4 P7 64 threads on one key get exactly the limit, at the caller's time")
  void callersTime(TestServer server, ScriptAlgorithm script) throws Exception {
    assertThat(admitted(server, script, List.of("1700000000000000"))).isEqualTo(LIMIT);
  }

  private static long admitted(TestServer server, ScriptAlgorithm script, List<String> now)
      throws Exception {
    String key = "penstock-threads:{" + UUID.randomUUID() + "}";
    List<String> arguments = new ArrayList<>(List.of("1"));
    arguments.addAll(List.of(LimitSetting.tier(script, LIMIT, 1, DAY_US).split(" ")));
    arguments.addAll(now);
    try (RespConnection connection = server.connect()) {
      ExecutorService threads = Executors.newFixedThreadPool(THREADS);
      CountDownLatch start = new CountDownLatch(THREADS);
      try {
        List<Future<Long>> counts = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
          counts.add(threads.submit(() -> count(server, script, key, arguments, start)));
        }
        long sum = 0;
        for (Future<Long> count : counts) {
          sum += count.get(60, TimeUnit.SECONDS);
        }
        return sum;
      } finally {
        threads.shutdownNow();
        connection.call("DEL", key);
      }
    }
  }

  private static long count(
      TestServer server,
      ScriptAlgorithm script,
      String key,
      List<String> arguments,
      CountDownLatch start)
      throws InterruptedException {
    try (RespConnection connection = server.connect()) {
      ScriptClient port = ScriptForm.MINIFIED.load(connection);
      start.countDown();
      assertThat(start.await(30, TimeUnit.SECONDS)).isTrue();
      long admitted = 0;
      for (int i = 0; i < CALLS_PER_THREAD; i++) {
        ScriptAnswer answer = port.call(script.scriptName(), List.of(key), arguments);
        assertThat(answer.error()).isNull();
        admitted += answer.reply().get(0);
      }
      return admitted;
    }
  }
}
