package io.github.penstock.compat;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.scripts.FunctionsLibrary;
import io.github.penstock.scripts.LuaScript;
import io.github.penstock.testkit.resp.RespConnection;
import io.github.penstock.testkit.resp.RespError;
import io.github.penstock.testkit.server.ServerSource;
import io.github.penstock.testkit.server.TestServer;
import io.github.penstock.testkit.server.TestServers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.commons.io.IOUtils;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The Functions library from one version to the next, while both are called. */
class LibraryVersionsTest {
  private static final String CAPACITY = "1000000";
  private static final String YEAR = "31536000000000";
  private static final int EXCHANGES = 40;
  private static final int CALLERS = 4;
  private static final int CALLS_BETWEEN = 50;

  static List<ServerSource> servers() {
    return TestServers.sources().stream().filter(LibraryVersionsTest::hasFunctions).toList();
  }

  private static boolean hasFunctions(ServerSource source) {
    try (TestServer server = source.start()) {
      return server.hasFunctions();
    }
  }

  @ParameterizedTest
  @MethodSource("servers")
  @DisplayName("every call while libraries are exchanged is decided once, and none fails")
  void exchangedUnderLoad(ServerSource source) throws Exception {
    try (TestServer server = source.start()) {
      load(server, old());
      AtomicLong calls = new AtomicLong();
      AtomicBoolean done = new AtomicBoolean();
      ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
      try {
        List<Future<Optional<Object>>> failures = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
          failures.add(callers.submit(caller(server, i % 2 == 0, calls, done)));
        }
        for (int i = 0; i < EXCHANGES; i++) {
          awaitCalls(calls, calls.get() + CALLS_BETWEEN, failures);
          load(server, i % 2 == 0 ? FunctionsLibrary.SOURCE : old());
        }
        done.set(true);
        for (Future<Optional<Object>> failure : failures) {
          assertThat(failure.get()).isEmpty();
        }
      } finally {
        done.set(true);
        callers.shutdownNow();
      }
      assertThat(used(server, true) + used(server, false)).isEqualTo(calls.get());
    }
  }

  private static Callable<Optional<Object>> caller(
      TestServer server, boolean bucket, AtomicLong calls, AtomicBoolean done) {
    return () -> {
      try (RespConnection connection = server.connect()) {
        while (!done.get()) {
          Object answer = connection.call(call(bucket, "1"));
          if (!(answer instanceof List<?> reply) || !reply.get(0).equals(1L)) {
            return Optional.of(String.valueOf(answer));
          }
          calls.incrementAndGet();
        }
      }
      return Optional.empty();
    };
  }

  private static void awaitCalls(
      AtomicLong calls, long enough, List<Future<Optional<Object>>> callers) {
    while (calls.get() < enough) {
      assertThat(callers).noneMatch(Future::isDone);
      Thread.onSpinWait();
    }
  }

  private static long used(TestServer server, boolean bucket) {
    List<?> reply = (List<?>) server.call(call(bucket, "0"));
    assertThat(reply).isNotNull();
    return Long.parseLong(CAPACITY) - (Long) reply.get(2);
  }

  /* One unit comes back in 50 minutes, and none before. */
  private static String[] call(boolean bucket, String cost) {
    return bucket
        ? new String[] {
          "FCALL", "penstock_1_token_bucket", "1", "bucket", cost, CAPACITY, "1", "3000000000"
        }
        : new String[] {"FCALL", "penstock_1_fixed_window", "1", "window", cost, CAPACITY, YEAR};
  }

  @ParameterizedTest
  @MethodSource("servers")
  @DisplayName("the old library refuses what is new, and that charges nothing")
  void newCallsOnTheOldLibrary(ServerSource source) throws Exception {
    try (TestServer server = source.start();
        RespConnection connection = server.connect()) {
      load(server, old());
      String[] several = call(false, "1*4");
      String[] sliding = {"FCALL", "penstock_1_sliding_window", "1", "s", "1", "10", YEAR};
      assertThat(connection.call(several))
          .isInstanceOfSatisfying(
              RespError.class,
              error -> assertThat(error.text()).startsWith("ERR penstock fixed-window: cost "));
      assertThat(connection.call(sliding))
          .isInstanceOfSatisfying(
              RespError.class, error -> assertThat(error.text()).contains("Function not found"));
      assertThat(connection.call("DBSIZE")).isEqualTo(0L);
      load(server, FunctionsLibrary.SOURCE);
      assertThat(connection.call(several)).asString().startsWith("[4, ");
      assertThat(connection.call(sliding)).asString().startsWith("[1, 10, 9, ");
    }
  }

  @ParameterizedTest
  @MethodSource("servers")
  @DisplayName("a replica that has not synced knows no function, and takes every limit for unused")
  void aReplicaThatHasNotSynced(ServerSource source) {
    try (TestServer replica = source.start("--replicaof", "127.0.0.1", "1");
        RespConnection connection = replica.connect()) {
      LuaScript script = LuaScript.TOKEN_BUCKET;
      String[] tier = {"1", "bucket", "0", "100", "1", "1000000"};
      assertThat(connection.call(command("FCALL_RO", script.peekFunctionName(), tier)))
          .isInstanceOfSatisfying(
              RespError.class, error -> assertThat(error.text()).contains("Function not found"));
      connection.call("SCRIPT", "LOAD", script.source());
      assertThat(connection.call(command("EVALSHA_RO", script.sha1(), tier)))
          .isEqualTo(List.of(1L, 100L, 100L, 0L, 0L, 1L));
    }
  }

  private static String[] command(String verb, String target, String[] rest) {
    List<String> command = new ArrayList<>(List.of(verb, target));
    command.addAll(List.of(rest));
    return command.toArray(String[]::new);
  }

  private static void load(TestServer server, String library) {
    assertThat(server.call("FUNCTION", "LOAD", "REPLACE", library))
        .isEqualTo(FunctionsLibrary.NAME);
  }

  /** The first three scripts, as they shipped before {@code cost*calls} existed. */
  private static String old() throws Exception {
    return IOUtils.resourceToString(
        "/io/github/penstock/compat/library-before-several-calls.txt", StandardCharsets.UTF_8);
  }
}
