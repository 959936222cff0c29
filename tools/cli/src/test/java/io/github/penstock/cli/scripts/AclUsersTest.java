package io.github.penstock.cli.scripts;

import static io.github.penstock.cli.scripts.ScriptsOnServersTest.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.cli.CommandRun;
import io.github.penstock.compat.reservation.ReservationStep;
import io.github.penstock.compat.reservation.ReservationVectors;
import io.github.penstock.compat.vectors.VectorFile;
import io.github.penstock.compat.vectors.VectorRunner;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.TokenBucket;
import io.github.penstock.glide.GlideRateLimiters;
import io.github.penstock.jedis.JedisRateLimiters;
import io.github.penstock.lettuce.LettuceRateLimiters;
import io.github.penstock.redisson.RedissonRateLimiters;
import io.github.penstock.scripts.DropInScript;
import io.github.penstock.scripts.FunctionsLibrary;
import io.github.penstock.scripts.LuaScript;
import io.github.penstock.scripts.ReservationScript;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import io.github.penstock.testkit.resp.RedisUrl;
import io.github.penstock.testkit.resp.RespConnection;
import io.github.penstock.testkit.resp.RespError;
import io.github.penstock.testkit.script.ScriptAnswer;
import io.github.penstock.testkit.script.ScriptClient;
import io.github.penstock.testkit.script.ScriptForm;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerSource;
import io.github.penstock.testkit.server.TestServer;
import io.github.penstock.testkit.server.TestServers;
import io.github.penstock.testkit.topology.ClusterDeployment;
import io.github.penstock.testkit.topology.ReplicaSync;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The users that `scripts acl` prints can do what they are for, and nothing else, everywhere. */
@Execution(ExecutionMode.CONCURRENT)
class AclUsersTest {
  private static final String KEY = "penstock:api:{user:42}:b10.1.3600000000";
  private static final String FOREIGN = "session:42";
  private static final String[] TIER = {"10", "1", "3600000000"};
  private static final LuaScript BUCKET = LuaScript.TOKEN_BUCKET;

  static List<ServerSource> servers() {
    return TestServers.sources();
  }

  @ParameterizedTest
  @MethodSource("servers")
  void everyVectorAsTheUsersThatDecide(ServerSource source) {
    List<String> all = new ArrayList<>(List.of("--keys", "penstock-vectors:*"));
    Stream.of(ScriptAlgorithm.values()).map(ScriptAlgorithm::scriptName).forEach(all::add);
    Stream.of(DropInScript.values()).map(DropInScript::scriptName).forEach(all::add);
    Stream.of(ReservationScript.values()).map(ReservationScript::scriptName).forEach(all::add);
    try (TestServer server = source.start();
        RespConnection admin = server.connect()) {
      setUp(server, all.toArray(String[]::new));
      ScriptForm.MINIFIED.load(admin);
      replay(server, admin, "evalsha", ScriptForm.MINIFIED);
      replay(server, admin, "eval", ScriptForm.MINIFIED);
      if (server.hasFunctions()) {
        ScriptForm.FUNCTION.load(admin);
        replay(server, admin, "fcall", ScriptForm.FUNCTION);
      }
    }
  }

  private static void replay(
      TestServer server, RespConnection admin, String user, ScriptForm form) {
    try (RespConnection connection = as(server, user)) {
      ScriptClient client =
          (script, keys, arguments) ->
              ScriptAnswer.of(connection.call(form.command(script, keys, arguments)));
      VectorRunner runner = new VectorRunner(client, admin);
      Stream.of(ScriptAlgorithm.values())
          .forEach(
              script ->
                  VectorFile.of(script)
                      .sequences()
                      .forEach(sequence -> runner.replay(script, sequence)));
      Stream.of(DropInScript.values())
          .forEach(
              script ->
                  VectorFile.of(script)
                      .sequences()
                      .forEach(sequence -> runner.replay(script.scriptName(), sequence)));
      ReservationVectors.all().stream()
          .map(ReservationVectors.Sequence::steps)
          .filter(steps -> steps.stream().allMatch(step -> step.before().isEmpty()))
          .forEach(steps -> reserve(client, admin, steps));
    }
  }

  private static void reserve(
      ScriptClient client, RespConnection admin, List<ReservationStep> steps) {
    steps.forEach(step -> step.keys().forEach(key -> admin.call("DEL", key)));
    for (ReservationStep step : steps) {
      ScriptAnswer answer = client.call(step.script(), step.keys(), step.arguments());
      assertThat(answer.reply()).as(step.toString()).isEqualTo(step.reply());
    }
  }

  @ParameterizedTest
  @MethodSource("servers")
  void nothingElse(ServerSource source) {
    try (TestServer server = source.start();
        RespConnection admin = server.connect()) {
      setUp(server);
      ScriptForm.MINIFIED.load(admin);
      admin.call("SET", FOREIGN, "secret");
      boolean functions = server.hasFunctions();
      if (functions) {
        ScriptForm.FUNCTION.load(admin);
      }
      for (String user : users(server)) {
        try (RespConnection connection = as(server, user)) {
          refused(connection, user, "GET", FOREIGN);
          refused(connection, user, "SET", FOREIGN, "x");
          refused(connection, user, "FLUSHALL");
          refused(connection, user, "CONFIG", "GET", "*");
          refused(connection, user, "KEYS", "*");
          refused(connection, user, "SCRIPT", "FLUSH");
          refused(connection, user, "ACL", "LIST");
          refused(connection, user, "FUNCTION", "DELETE", FunctionsLibrary.NAME);
          refused(connection, user, evalsha(FOREIGN, "1"));
          refused(connection, user, "EVAL", "return redis.call('GET',KEYS[1])", "1", FOREIGN);
          refused(connection, user, "EVAL", "return redis.call('GET','" + FOREIGN + "')", "0");
          refused(connection, user, "EVAL", "return redis.call('FLUSHALL')", "0");
          if (!user.equals("eval")) {
            refused(connection, user, "EVAL", "return 1", "0");
          }
          if (!user.equals("loader")) {
            refused(connection, user, "SCRIPT", "LOAD", "return 1");
          }
          if (functions) {
            refused(connection, user, fcall(BUCKET.functionName(), FOREIGN, "1"));
          }
        }
      }
      assertThat(admin.call("DBSIZE")).isEqualTo(1L);
      assertThat(admin.call("GET", FOREIGN)).isEqualTo("secret");
      assertThat(admin.call("SCRIPT", "EXISTS", BUCKET.sha1())).isEqualTo(List.of(1L));
    }
  }

  @ParameterizedTest
  @MethodSource("servers")
  void aPeekOnAReplica(ServerSource source) {
    try (TestServer primary = source.start("--repl-diskless-sync-delay", "0");
        TestServer replica =
            source.start("--replicaof", "127.0.0.1", Integer.toString(primary.url().port()));
        RespConnection admin = primary.connect();
        RespConnection there = replica.connect()) {
      ScriptForm.MINIFIED.load(admin);
      ScriptForm.MINIFIED.load(there);
      if (primary.hasFunctions()) {
        ScriptForm.FUNCTION.load(admin);
      }
      admin.call(evalsha(KEY, "4"));
      ReplicaSync.await(primary, replica);
      setUp(replica);
      setUp(primary);
      for (TestServer server : List.of(primary, replica)) {
        try (RespConnection user = as(server, "peek-6")) {
          assertPeeks(user.call(evalsha(KEY, "0")));
          refused(user, "peek-6", evalsha(KEY, "1"));
        }
        if (primary.hasFunctions()) {
          try (RespConnection user = as(server, "peek")) {
            assertPeeks(user.call(readOnly(evalsha(KEY, "0"))));
            assertPeeks(user.call(readOnly(fcall(BUCKET.peekFunctionName(), KEY, "0"))));
            refused(user, "peek", evalsha(KEY, "0"));
            refused(user, "peek", readOnly(evalsha(KEY, "1")));
            refused(user, "peek", fcall(BUCKET.functionName(), KEY, "1"));
          }
        }
      }
      assertPeeks(admin.call(evalsha(KEY, "0")));
    }
  }

  @ParameterizedTest
  @MethodSource("servers")
  void theCommandsAsTheirUsers(ServerSource source) {
    try (TestServer server = source.start();
        RespConnection admin = server.connect()) {
      setUp(server);
      assertDone(command(server, "loader", "load"));
      assertDone(command(server, "loader", "verify"));
      if (server.hasFunctions()) {
        assertDone(command(server, "function-loader", "load", "--functions"));
        assertDone(command(server, "function-loader", "verify", "--functions"));
      }
      admin.call(evalsha(KEY, "4"));
      assertThat(command(server, "operator", "explain", KEY).out()).contains("policy api");
      CommandRun reset =
          command(server, "operator", "reset", "--policy", "api", "--subject", "user:42");
      assertThat(reset.out()).isEqualTo("reset " + KEY + "\n");
      assertThat(command(server, "loader", "reset", KEY).exitCode()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @MethodSource("servers")
  void withoutDelOnlyARefundFails(ServerSource source) {
    try (TestServer server = source.start();
        RespConnection admin = server.connect()) {
      setUp(server);
      ScriptForm.MINIFIED.load(admin);
      admin.call("ACL", "SETUSER", "penstock-evalsha", "-del");
      try (RespConnection user = as(server, "evalsha")) {
        assertThat(user.call(evalsha(KEY, "4"))).isInstanceOf(List.class);
        assertThat(user.call(evalsha(KEY, "-1"))).isInstanceOf(List.class);
        Object before = admin.call("GET", KEY);
        refused(user, "evalsha", evalsha(KEY, "-4"));
        assertThat(admin.call("GET", KEY)).isEqualTo(before);
      }
    }
  }

  @Test
  void theJavaClientsAsTheseUsers() {
    List<BiFunction<String, RateLimiterOptions, RateLimiters>> clients =
        List.of(
            JedisRateLimiters::connect,
            LettuceRateLimiters::connect,
            RedissonRateLimiters::connect);
    try (TestServer server = new EmbeddedServer().start();
        ClusterDeployment cluster = ClusterDeployment.start(new EmbeddedServer().executable())) {
      List<TestServer> all = new ArrayList<>(cluster.masters());
      all.add(server);
      all.forEach(AclUsersTest::setUp);
      all.forEach(each -> each.call("FUNCTION", "LOAD", FunctionsLibrary.SOURCE));
      String single = "redis://USER:secret@127.0.0.1:" + server.url().port();
      String node = "127.0.0.1:" + cluster.masters().get(0).url().port();
      for (var client : clients) {
        decideAsUsers(client, single);
        decideAsUsers(client, "redis-cluster://USER:secret@" + node);
      }
      for (String user : List.of("penstock-eval", "penstock-fcall")) {
        server.call("ACL", "SETUSER", user, "+info");
      }
      decideAsUsers(GlideRateLimiters::connect, single);
    }
  }

  private static void decideAsUsers(
      BiFunction<String, RateLimiterOptions, RateLimiters> client, String address) {
    decides(client, address.replace("USER", "penstock-eval"), false);
    decides(client, address.replace("USER", "penstock-fcall"), true);
  }

  private static void decides(
      BiFunction<String, RateLimiterOptions, RateLimiters> client, String uri, boolean functions) {
    RateLimiterOptions options =
        RateLimiterOptions.builder().deadline(Duration.ofMinutes(2)).functions(functions).build();
    try (RateLimiters limiters = client.apply(uri, options)) {
      Limit limit = TokenBucket.of(10).refill(1, Duration.ofHours(1));
      for (int user = 0; user < 9; user++) {
        String subject = uri.hashCode() + ":" + client.hashCode() + ":" + user;
        assertThat(limiters.limiter("api", limit).tryAcquire(subject).remaining()).isEqualTo(9);
      }
    }
  }

  private static void setUp(TestServer server, String... arguments) {
    String[] command =
        Stream.concat(Stream.of("acl"), Arrays.stream(arguments)).toArray(String[]::new);
    List<String> printed = run(command).out().lines().filter(l -> l.startsWith("ACL ")).toList();
    assertThat(printed).hasSize(8);
    try (RespConnection admin = server.connect()) {
      for (String line : printed) {
        Object answer = admin.call(line.replace(">PASSWORD", ">secret").split(" "));
        boolean known =
            server.hasFunctions() || !line.contains("fcall") && !line.contains("function");
        assertThat(answer).as(line).satisfies(a -> assertThat("OK".equals(a)).isEqualTo(known));
      }
    }
  }

  private static List<String> users(TestServer server) {
    return server.hasFunctions()
        ? List.of("fcall", "evalsha", "eval", "peek", "loader", "function-loader", "operator")
        : List.of("evalsha", "eval", "peek-6", "loader", "operator");
  }

  private static RespConnection as(TestServer server, String user) {
    RedisUrl url = server.url();
    return RespConnection.open(
        new RedisUrl(url.host(), url.port(), "penstock-" + user, "secret", 0), TestServer.TIMEOUT);
  }

  private static void refused(RespConnection connection, String user, String... command) {
    String what = user + ": " + String.join(" ", command);
    assertThat(connection.call(command)).as(what).isInstanceOf(RespError.class);
  }

  private static String[] evalsha(String key, String cost) {
    return called("EVALSHA", BUCKET.sha1(), key, cost);
  }

  private static String[] fcall(String function, String key, String cost) {
    return called("FCALL", function, key, cost);
  }

  private static String[] called(String verb, String target, String key, String cost) {
    return Stream.concat(Stream.of(verb, target, "1", key, cost), Stream.of(TIER))
        .toArray(String[]::new);
  }

  private static String[] readOnly(String[] command) {
    command[0] += "_RO";
    return command;
  }

  /* 4 of 10 were taken; one comes back each second. */
  private static void assertPeeks(Object answer) {
    assertThat(answer).isInstanceOf(List.class).asString().startsWith("[1, 10, ");
  }

  private static CommandRun command(TestServer server, String user, String... arguments) {
    String uri = "redis://penstock-%s:secret@127.0.0.1:%d".formatted(user, server.url().port());
    return run(
        Stream.concat(Stream.of(arguments), Stream.of("--redis", uri)).toArray(String[]::new));
  }

  private static void assertDone(CommandRun ran) {
    assertThat(ran.exitCode()).as(ran.out() + ran.err()).isZero();
  }
}
