package io.github.penstock.cli.scripts;

import static io.github.penstock.cli.scripts.ScriptsOnServersTest.assertComplaint;
import static io.github.penstock.cli.scripts.ScriptsOnServersTest.run;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.penstock.cli.CommandRun;
import io.github.penstock.report.console.TerminalWidth;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import io.github.penstock.testkit.topology.ClusterDeployment;
import io.github.penstock.testkit.topology.DirectCommands;
import io.github.penstock.testkit.topology.ReplicaSync;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Resetting removes what it names, and nothing else. */
class KeyResetTest {
  private static final String KEY = "penstock:api:{user:42}:b10.1.1000000";

  @Test
  void aKeyAndAllKeysOfASubject() {
    try (ServerProcess server = new EmbeddedServer().start()) {
      String uri = server.url().toString();
      List<String> others =
          List.of(
              "penstock:api:{user:421}:b10.1.1000000",
              "penstock:apis:{user:42}:b10.1.1000000",
              "mine:api:{user:42}:b10.1.1000000",
              "penstock:api:{user:42}:other");
      others.forEach(key -> server.call("SET", key, "1"));
      server.call("SET", KEY, "1");
      assertThat(run("reset", KEY, "--redis", uri).out()).isEqualTo("reset " + KEY + "\n");
      assertThat(run("reset", KEY, "--redis", uri).out()).startsWith("Nothing was stored");
      server.call("SET", KEY, "1");
      server.call("SET", "penstock:api:{user:42}:w60000000-1000000", "1");
      CommandRun ran = ofSubject(uri, "user:42");
      assertThat(ran.exitCode()).as(ran.err()).isZero();
      assertThat(ran.out().lines()).hasSize(2);
      assertThat(server.call("DBSIZE")).isEqualTo((long) others.size());
    }
  }

  @Test
  void onlyWhatIsNamedByTheConvention() {
    try (ServerProcess server = new EmbeddedServer().start()) {
      String uri = server.url().toString();
      List<String> others =
          List.of("foo", "penstock:api:{user:42}:other", "penstock:api:42:b10.1.1");
      others.forEach(key -> server.call("SET", key, "1"));
      others.forEach(
          key -> assertComplaint(run("reset", key, "--redis", uri), "protocol's convention"));
      assertThat(server.call("DBSIZE")).isEqualTo((long) others.size());
      server.call("RPUSH", KEY, "what no script reads");
      assertThat(run("reset", KEY, "--redis", uri).out()).isEqualTo("reset " + KEY + "\n");
    }
  }

  @Test
  void keysOfReservations() {
    try (ServerProcess server = new EmbeddedServer().start()) {
      String uri = server.url().toString();
      String within = "penstock:api:{tenant:7}/user:42:rb10.1.1000000";
      String receipt = "penstock:{tenant:7}:9f1c";
      List<String> ofGroup =
          List.of(
              "penstock:api:{tenant:7}:rb10.1.1000000",
              "penstock:api:{tenant:7}:rc",
              "penstock:api:{tenant:7}:b10.1.1000000");
      ofGroup.forEach(key -> server.call("SET", key, "1"));
      server.call("SET", within, "1");
      server.call("SET", receipt, "1");
      assertThat(ofSubject(uri, "tenant:7").out().lines()).hasSize(ofGroup.size());
      assertThat(run("reset", within, "--redis", uri).out()).isEqualTo("reset " + within + "\n");
      assertComplaint(run("reset", receipt, "--redis", uri), "protocol's convention");
      assertThat(server.call("EXISTS", receipt)).isEqualTo(1L);
      assertThat(server.call("DBSIZE")).isEqualTo(1L);
    }
  }

  @Test
  void aSubjectIsWrittenAsCallersWriteIt() {
    try (ServerProcess server = new EmbeddedServer().start()) {
      String uri = server.url().toString();
      server.call("SET", "penstock:api:{a*b%7Bc%7D[d]\u00e4}:w5", "1");
      server.call("SET", "penstock:api:{aXb%7Bc%7D[d]\u00e4}:w5", "1");
      assertThat(ofSubject(uri, "a*b{c}[d]\u00e4").out().lines()).hasSize(1);
      assertThat(server.call("EXISTS", "penstock:api:{aXb%7Bc%7D[d]\u00e4}:w5")).isEqualTo(1L);
      assertThat(server.call("DBSIZE")).isEqualTo(1L);
    }
  }

  @Test
  void theOwnerInACluster() {
    try (ClusterDeployment cluster = ClusterDeployment.start(new EmbeddedServer().executable());
        DirectCommands commands = cluster.commands()) {
      for (int user = 0; user < 9; user++) {
        String key = "penstock:api:{u%d}:b10.1.1000000".formatted(user);
        String uri = "redis-cluster://127.0.0.1:" + cluster.masters().get(user % 3).url().port();
        commands.call("SET", key, "1763712000100000");
        assertThat(run("explain", key, "--redis", uri).out()).contains("1763712000100000");
        CommandRun ran = user < 5 ? run("reset", key, "--redis", uri) : ofSubject(uri, "u" + user);
        assertThat(ran.out()).isEqualTo("reset " + key + "\n");
        assertThat(commands.call("EXISTS", key)).isEqualTo(0L);
      }
    }
  }

  @Test
  void aReplicaIsReadAndNotWritten() {
    try (ServerProcess primary = new EmbeddedServer().start();
        ServerProcess replica =
            new EmbeddedServer()
                .start("--replicaof", "127.0.0.1", Integer.toString(primary.url().port()))) {
      primary.call("SET", KEY, "1763712000100000");
      ReplicaSync.await(primary, replica);
      String uri = replica.url().toString();
      assertThat(run("explain", KEY, "--redis", uri).out()).contains("1763712000100000");
      assertComplaint(run("reset", KEY, "--redis", uri), "cannot be written");
    }
  }

  @Test
  void wrongInput() {
    assertComplaint(run("reset", "--redis", "redis://h"), "give a key");
    assertComplaint(run("reset", "--policy", "api", "--redis", "redis://h"), "give a key");
    assertComplaint(
        run("reset", KEY, "--policy", "api", "--redis", "redis://127.0.0.1:1"), "not both");
    assertComplaint(
        run("reset", "--policy", "a b", "--subject", "u", "--redis", "redis://h"), "--policy must");
    assertComplaint(
        run("reset", "--policy", "a", "--subject", "", "--redis", "redis://h"),
        "--subject must not be empty");
  }

  @Test
  void aComplaintInJson() {
    List<String[]> calls =
        List.of(
            new String[] {"reset", "foo", "--json", "--redis", "redis://127.0.0.1:1"},
            new String[] {"verify", "--json", "--redis", "redis://127.0.0.1:1"},
            new String[] {"explain", KEY, "--json", "--nonsense", "--redis", "redis://h"});
    for (String[] call : calls) {
      CommandRun ran = run(call);
      assertThat(ran.exitCode()).isEqualTo(2);
      JsonObject told = JsonParser.parseString(ran.out()).getAsJsonObject();
      assertThat(told.keySet()).containsExactly("format", "error");
      assertThat(ran.err()).startsWith("penstock: " + told.get("error").getAsString());
    }
  }

  @Test
  void aTerminalGetsLinesThatFit() {
    System.setProperty(TerminalWidth.PROPERTY, "60");
    try {
      CommandRun ran = run("reset", "foo", "--redis", "redis://127.0.0.1:1");
      assertThat(ran.err()).startsWith("penstock: 'foo' does not follow");
      assertThat(ran.err().lines()).hasSizeGreaterThan(1).allMatch(line -> line.length() <= 60);
    } finally {
      System.clearProperty(TerminalWidth.PROPERTY);
    }
  }

  @Test
  void anUnknownOptionIsNamedBeforeAMissingOne() {
    assertComplaint(run("verify", "--nonsense"), "Unknown option: '--nonsense'");
    assertComplaint(run("verify"), "--redis");
  }

  private static CommandRun ofSubject(String uri, String subject) {
    return run("reset", "--policy", "api", "--subject", subject, "--redis", uri);
  }
}
