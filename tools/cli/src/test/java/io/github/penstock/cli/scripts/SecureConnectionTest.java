package io.github.penstock.cli.scripts;

import static io.github.penstock.cli.scripts.ScriptsOnServersTest.assertComplaint;
import static io.github.penstock.cli.scripts.ScriptsOnServersTest.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.testkit.fault.FaultProxy;
import io.github.penstock.testkit.fault.LocalCertificate;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import io.github.penstock.testkit.topology.ServerEndpoint;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Passwords and TLS. */
class SecureConnectionTest {
  private static final String PASSWORD = "p/w@#?%+ &=:";
  private static final String ENCODED = "p%2Fw%40%23%3F%25%2B%20%26%3D%3A";

  @Test
  void aPasswordInTheUriOrTheEnvironment() throws Exception {
    try (ServerProcess server = new EmbeddedServer().start()) {
      server.call("ACL", "SETUSER", "deploy", "on", ">" + PASSWORD, "+@all");
      server.call("CONFIG", "SET", "requirepass", PASSWORD);
      String address = "127.0.0.1:" + server.url().port();
      assertThat(run("load", "--redis", "redis://:" + ENCODED + "@" + address).exitCode()).isZero();
      assertThat(run("load", "--redis", "redis://deploy:" + ENCODED + "@" + address).exitCode())
          .isZero();
      for (String wrong : List.of("redis://", "redis://:wr0ng@", "redis://deploy:wr0ng@")) {
        assertComplaint(run("load", "--redis", wrong + address), "refuses this user or password");
        assertThat(run("load", "--redis", wrong + address).err()).doesNotContain("wr0ng");
      }
      assertThat(inEnvironment(PASSWORD, "verify", "--redis", "redis://" + address)).isZero();
      assertThat(
              inEnvironment(
                  PASSWORD, "verify", "--user", "deploy", "--redis", "redis://" + address))
          .isZero();
      assertThat(inEnvironment("wr0ng", "verify", "--redis", "redis://" + address)).isEqualTo(2);
    }
  }

  @Test
  void encryptedConnections(@TempDir Path directory) throws Exception {
    LocalCertificate certificate = LocalCertificate.make();
    try (ServerProcess server = new EmbeddedServer().start();
        FaultProxy proxy = FaultProxy.before(server.url(), certificate)) {
      String uri = new ServerEndpoint.Single(proxy.url(), true).uri();
      String ca = certificate.writePem(directory).toString();
      assertThat(run("load", "--redis", uri, "--ca", ca).exitCode()).isZero();
      assertThat(run("verify", "--redis", uri, "--ca", ca).exitCode()).isZero();
      assertComplaint(run("verify", "--redis", uri), "is not trusted");
      String otherName = uri.replace("localhost", "127.0.0.1");
      assertComplaint(run("verify", "--redis", otherName, "--ca", ca), "is not trusted");
      assertComplaint(
          run("verify", "--redis", uri.replace("rediss", "redis")), "does not answer like Redis");
      assertComplaint(
          run("verify", "--redis", "rediss://127.0.0.1:" + server.url().port(), "--ca", ca),
          "does not answer like Redis");
      Path none = Files.writeString(directory.resolve("none.pem"), "nothing\n");
      assertComplaint(run("verify", "--redis", uri, "--ca", none.toString()), "--ca must be");
    }
  }

  /* The environment cannot be set in here. */
  private static int inEnvironment(String password, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of("io.github.penstock.cli.PenstockCommand", "scripts"));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(Map.of("PENSTOCK_PASSWORD", password));
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(said).doesNotContain(password);
    return process.waitFor();
  }
}
