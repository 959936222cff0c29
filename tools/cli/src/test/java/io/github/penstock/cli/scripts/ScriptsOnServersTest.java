package io.github.penstock.cli.scripts;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.penstock.cli.CommandRun;
import io.github.penstock.scripts.DropInScript;
import io.github.penstock.scripts.FunctionsLibrary;
import io.github.penstock.scripts.LuaScript;
import io.github.penstock.scripts.ReservationScript;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import io.github.penstock.testkit.server.ServerSource;
import io.github.penstock.testkit.server.TestServer;
import io.github.penstock.testkit.server.TestServers;
import io.github.penstock.testkit.topology.ClusterDeployment;
import io.github.penstock.testkit.topology.ReplicaSync;
import io.github.penstock.testkit.topology.SentinelGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Loading and verifying, on every server of a deployment. */
@Execution(ExecutionMode.CONCURRENT)
class ScriptsOnServersTest {
  private static final int SCRIPTS = LuaScript.values().length;
  private static final String ALL = "has %d of %<d".formatted(SCRIPTS);

  @Test
  void scriptsAreMissingThenLoadedThenThere() {
    try (TestServer server = new EmbeddedServer().start()) {
      String uri = server.url().toString();
      CommandRun before = run("verify", "--redis", uri);
      assertThat(before.exitCode()).isEqualTo(3);
      assertThat(before.out())
          .contains("has 0 of " + SCRIPTS, "lacks fixed-window", "Complete: 0 of 1.");
      assertThat(before.err()).isEmpty();
      CommandRun loaded = run("load", "--redis", uri);
      assertThat(loaded.exitCode()).as(loaded.err()).isZero();
      assertThat(loaded.out()).contains(ALL + ", " + SCRIPTS + " loaded now", "Complete: 1 of 1.");
      assertThat(scriptsOn(server)).isEqualTo(SCRIPTS);
      assertThat(run("verify", "--redis", uri).exitCode()).isZero();
      assertThat(run("load", "--redis", uri).out()).contains(ALL).doesNotContain("loaded");
    }
  }

  @Test
  void dropInsAreLoadedByName() {
    try (TestServer server = new EmbeddedServer().start()) {
      String uri = server.url().toString();
      assertThat(run("load", "counter", "--redis", uri).out()).contains("has 1 of 1, 1 loaded");
      assertThat(run("verify", "counter", "redis-bucket", "--redis", uri).out())
          .contains("has 1 of 2", "lacks redis-bucket.");
      assertThat(scriptsOn(server)).isZero();
    }
  }

  @Test
  void aReplicaKeepsScriptsForItself() {
    try (ServerProcess primary = new EmbeddedServer().start();
        ServerProcess replica = replicaOf(primary)) {
      String uri = primary.url().toString();
      CommandRun loaded = run("load", "--redis", uri);
      assertThat(loaded.out()).contains("primary  " + ALL, "replica  " + ALL);
      assertThat(scriptsOn(replica)).isEqualTo(SCRIPTS);
      replica.call("SCRIPT", "FLUSH");
      CommandRun verified = run("verify", "--json", "--redis", uri);
      assertThat(verified.exitCode()).isEqualTo(3);
      assertThat(node(verified, primary).get("complete").getAsBoolean()).isTrue();
      assertThat(node(verified, replica).get("complete").getAsBoolean()).isFalse();
    }
  }

  @Test
  void aReplicaThatIsDownIsNamed() {
    try (ServerProcess primary = new EmbeddedServer().start();
        ServerProcess replica = replicaOf(primary)) {
      replica.freeze();
      CommandRun ran = run("verify", "--redis", primary.url().toString());
      CommandRun loaded = run("load", "--functions", "--redis", primary.url().toString());
      replica.thaw();
      assertThat(loaded.exitCode()).isEqualTo(3);
      assertThat(loaded.out()).contains("primary  has 1 of 1, 1 loaded now", "Complete: 1 of 2.");
      assertThat(ran.exitCode()).isEqualTo(3);
      assertThat(ran.out()).contains("127.0.0.1:" + replica.url().port() + "  replica  see below");
    }
  }

  @Test
  void aReplicaIsNotTakenForItsPrimary() {
    try (ServerProcess primary = new EmbeddedServer().start();
        ServerProcess replica = replicaOf(primary)) {
      String uri = replica.url().toString();
      String sentence = "is a replica of 127.0.0.1:" + primary.url().port();
      for (String command : List.of("load", "verify")) {
        assertComplaint(run(command, "--redis", uri), sentence);
      }
      assertComplaint(run("load", "--functions", "--redis", uri), sentence);
      assertThat(scriptsOn(replica)).isZero();
    }
  }

  @Test
  void bothServersUnderSentinel() {
    try (SentinelGroup group = SentinelGroup.start(new EmbeddedServer().executable())) {
      String uri = group.endpoint().uri();
      assertThat(run("verify", "--redis", uri).out()).contains("Complete: 0 of 2.");
      CommandRun loaded = run("load", "--redis", uri);
      assertThat(loaded.exitCode()).as(loaded.out() + loaded.err()).isZero();
      assertThat(group.servers()).allMatch(server -> scriptsOn(server) == SCRIPTS);
      assertThat(run("load", "--functions", "--redis", uri).out()).contains("Complete: 2 of 2.");
      assertThat(group.servers()).allMatch(ScriptsOnServersTest::hasLibrary);
      assertComplaint(
          run("verify", "--redis", uri.replace("#penstock", "#nobody")), "knows no master");
    }
  }

  @Test
  void everyNodeOfACluster() {
    try (ClusterDeployment cluster = ClusterDeployment.start(new EmbeddedServer().executable())) {
      List<TestServer> nodes = new ArrayList<>(cluster.masters());
      cluster.masters().forEach(master -> nodes.add(cluster.addReplica(master)));
      String one = "redis-cluster://127.0.0.1:" + nodes.get(5).url().port();
      assertThat(run("verify", "--redis", one).out()).contains("Complete: 0 of 6.");
      CommandRun loaded = run("load", "--redis", one);
      assertThat(loaded.exitCode()).as(loaded.out() + loaded.err()).isZero();
      assertThat(nodes).allMatch(node -> scriptsOn(node) == SCRIPTS);
      CommandRun library = run("load", "--functions", "--redis", one);
      assertThat(library.exitCode()).as(library.out() + library.err()).isZero();
      assertThat(nodes).allMatch(ScriptsOnServersTest::hasLibrary);
      nodes.get(4).call("SCRIPT", "FLUSH");
      CommandRun verified = run("verify", "--redis", one);
      assertThat(verified.exitCode()).isEqualTo(3);
      assertThat(verified.out())
          .contains("Complete: 5 of 6.", nodes.get(4).url().port() + " lacks fixed-window");
      assertThat(verified.out().lines()).allMatch(line -> line.length() <= 100);
      assertComplaint(run("load", "--redis", nodes.get(0).url().toString()), "redis-cluster://");
    }
  }

  @Test
  void anOlderLibraryIsToldAndReplaced() {
    try (TestServer server = new EmbeddedServer().start()) {
      String uri = server.url().toString();
      assertThat(run("verify", "--functions", "--redis", uri).out()).contains("lacks penstock_1.");
      server.call("FUNCTION", "LOAD", olderLibrary());
      CommandRun verified = run("verify", "--functions", "--redis", uri);
      assertThat(verified.exitCode()).isEqualTo(3);
      assertThat(verified.out()).contains("has another penstock_1, of SHA1");
      assertThat(run("load", "--functions", "--redis", uri).out()).contains("1 loaded now");
      assertThat(hasLibrary(server)).isTrue();
      assertThat(run("verify", "--functions", "--redis", uri).exitCode()).isZero();
    }
  }

  @Test
  void aNewerLibraryIsReplacedOnlyIfThatIsMeant() {
    try (TestServer server = new EmbeddedServer().start()) {
      String uri = server.url().toString();
      server.call("FUNCTION", "LOAD", newerLibrary());
      CommandRun refused = run("load", "--functions", "--redis", uri);
      assertThat(refused.exitCode()).isEqualTo(3);
      assertThat(refused.out()).contains("penstock_1_new_window", "--replace");
      assertThat(hasLibrary(server)).isFalse();
      assertThat(run("load", "--functions", "--replace", "--redis", uri).exitCode()).isZero();
      assertThat(hasLibrary(server)).isTrue();
    }
  }

  @Test
  void everyServerTakesWhatItCan() {
    for (TestServer server : TestServers.all()) {
      String uri = server.url().toString();
      assertThat(run("load", "--redis", uri).exitCode()).as(server.name()).isZero();
      assertThat(run("verify", "--redis", uri).exitCode()).as(server.name()).isZero();
      CommandRun library = run("load", "--functions", "--redis", uri);
      assertThat(library.exitCode())
          .as(server.name() + library.out())
          .isEqualTo(server.hasFunctions() ? 0 : 3);
      if (!server.hasFunctions()) {
        assertThat(library.out().replaceAll("\\s+", " ")).contains("Functions need Redis 7.0");
      }
    }
  }

  @Test
  void aPolicyThatEvictsIsWarnedOf() {
    try (TestServer server =
        new EmbeddedServer().start("--maxmemory-policy", "allkeys-lru", "--maxmemory", "1gb")) {
      String uri = server.url().toString();
      run("load", "--redis", uri);
      CommandRun verified = run("verify", "--redis", uri);
      assertThat(verified.exitCode()).isZero();
      assertThat(verified.out().replaceAll("\\s+", " "))
          .contains("Warning: 127.0.0.1:" + server.url().port(), "allkeys-lru, so a key can go")
          .doesNotContain("clock");
      assertThat(verified.out().lines()).allMatch(line -> line.length() <= 100);
      server.call("CONFIG", "SET", "maxmemory-policy", "noeviction");
      assertThat(run("verify", "--redis", uri).out()).doesNotContain("Warning");
    }
  }

  @Test
  void aServerWithoutLuaIsRefused() {
    try (TestServer server = new EmbeddedServer().start("--rename-command", "EVAL", "")) {
      String uri = server.url().toString();
      run("load", "--redis", uri);
      CommandRun verified = run("verify", "--redis", uri);
      assertThat(verified.exitCode()).isEqualTo(3);
      assertThat(verified.out()).contains("does not run Lua scripts", "Complete: 0 of 1.");
    }
  }

  static Stream<ServerSource> oldServers() {
    return TestServers.sources().stream().filter(source -> source.name().contains("redis-6"));
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("oldServers")
  void aServerWhoseScriptsMayNotWriteIsRefused(ServerSource source) {
    try (TestServer server = source.start("--lua-replicate-commands", "no")) {
      String uri = server.url().toString();
      run("load", "--redis", uri);
      CommandRun verified = run("verify", "--redis", uri);
      assertThat(verified.exitCode()).isEqualTo(3);
      assertThat(verified.out())
          .contains("its lua-replicate-commands is no, so every charge", "Complete: 0 of 1.");
    }
  }

  @Test
  void aUserWhoMayNotNameItsClientIsWarnedOf() {
    for (TestServer server : TestServers.all()) {
      boolean known = String.valueOf(server.call("CLIENT", "HELP")).contains("SETINFO");
      server.call("ACL", "SETUSER", "v", "on", ">secret", "+info", "+script", "+eval");
      run("load", "--redis", server.url().toString());
      String out =
          run("verify", "--redis", "redis://v:secret@127.0.0.1:" + server.url().port()).out();
      assertThat(out.contains("client|setinfo")).as(server.name() + out).isEqualTo(known);
      server.call("ACL", "SETUSER", "v", "-eval");
      String blind =
          run("verify", "--redis", "redis://v:secret@127.0.0.1:" + server.url().port()).out();
      assertThat(blind).contains("was not asked whether its Lua is exact", "Complete: 1 of 1.");
    }
  }

  @Test
  void aUserThatMayNot() {
    try (TestServer server = new EmbeddedServer().start()) {
      server.call("ACL", "SETUSER", "blind", "on", ">secret", "+ping");
      server.call("ACL", "SETUSER", "idle", "on", ">secret", "+info");
      String address = "127.0.0.1:" + server.url().port();
      assertComplaint(
          run("load", "--redis", "redis://blind:secret@" + address),
          "does not let this user do that (NOPERM ");
      CommandRun idle = run("load", "--redis", "redis://idle:secret@" + address);
      assertThat(idle.exitCode()).isEqualTo(3);
      assertThat(idle.out()).contains("does not let this user").doesNotContain("secret");
    }
  }

  @Test
  void wrongInput() {
    assertComplaint(run("load", "nothing", "--redis", "redis://h"), "there is no script 'nothing'");
    assertComplaint(
        run("load", "counter", "--functions", "--redis", "redis://h"), "the whole library");
    assertComplaint(run("load", "--redis", "redis://:se cret@h"), "--redis: uri must be");
    assertThat(run("load", "--redis", "redis://:se cret@h").err()).doesNotContain("cret");
    assertComplaint(run("load"), "--redis");
    assertComplaint(run("load", "--redis", "redis://127.0.0.1:1"), "no server answers");
    assertComplaint(run("load", "--redis", "redis://h", "--ca", "f"), "--ca is for TLS");
    assertComplaint(run("load", "--redis", "redis://h", "--user", "u"), "PENSTOCK_PASSWORD");
    assertThat(run().exitCode()).isEqualTo(2);
    assertThat(run().err()).contains("explain", "verify");
  }

  @Test
  void theListHasEveryScript() {
    String list = run("list").out();
    Stream.of(LuaScript.values())
        .forEach(script -> assertThat(list).contains(script.scriptName(), script.sha1()));
    assertThat(list).contains("counter", FunctionsLibrary.SHA1, "takes key cost limit window_us");
    JsonObject json = JsonParser.parseString(run("list", "--json").out()).getAsJsonObject();
    assertThat(json.getAsJsonArray("scripts"))
        .hasSize(SCRIPTS + DropInScript.values().length + ReservationScript.values().length);
  }

  static CommandRun run(String... arguments) {
    return CommandRun.penstock(
        Stream.concat(Stream.of("scripts"), Stream.of(arguments)).toArray(String[]::new));
  }

  static void assertComplaint(CommandRun ran, String part) {
    assertThat(ran.exitCode()).as(ran.out() + ran.err()).isEqualTo(2);
    assertThat(ran.err()).startsWith("penstock: ").contains(part).doesNotContain("\tat ");
    assertThat(ran.out()).isEmpty();
  }

  private static ServerProcess replicaOf(ServerProcess primary) {
    ServerProcess replica =
        new EmbeddedServer()
            .start("--replicaof", primary.url().host(), Integer.toString(primary.url().port()));
    primary.call("CONFIG", "SET", "repl-diskless-sync-delay", "0");
    ReplicaSync.await(primary, replica);
    return replica;
  }

  private static long scriptsOn(TestServer server) {
    return Stream.of(LuaScript.values())
        .filter(script -> List.of(1L).equals(server.call("SCRIPT", "EXISTS", script.sha1())))
        .count();
  }

  private static boolean hasLibrary(TestServer server) {
    return String.valueOf(
            server.call("FUNCTION", "LIST", "LIBRARYNAME", FunctionsLibrary.NAME, "WITHCODE"))
        .contains(FunctionsLibrary.SOURCE + "]");
  }

  /* Ours without the scripts after the first. */
  private static String olderLibrary() {
    String source = FunctionsLibrary.SOURCE;
    return source.substring(0, source.indexOf("local function penstock_1_leaky_bucket"));
  }

  private static String newerLibrary() {
    return FunctionsLibrary.SOURCE
        + "\nredis.register_function{function_name='penstock_1_new_window',callback=function(KEYS,ARGV)return 1 end}";
  }

  private static JsonObject node(CommandRun ran, TestServer server) {
    return JsonParser.parseString(ran.out())
        .getAsJsonObject()
        .getAsJsonArray("nodes")
        .asList()
        .stream()
        .map(node -> node.getAsJsonObject())
        .filter(node -> node.get("address").getAsString().endsWith(":" + server.url().port()))
        .findFirst()
        .orElseThrow();
  }
}
