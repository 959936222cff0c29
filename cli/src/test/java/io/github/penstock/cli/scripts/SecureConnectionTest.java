package io.github.penstock.cli.scripts;

import static io.github.penstock.cli.scripts.ScriptsOnServersTest.assertComplaint;
import static io.github.penstock.cli.scripts.ScriptsOnServersTest.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Passwords and TLS. */
class SecureConnectionTest {
  private static final char[] STORE = "penstock".toCharArray();
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
    KeyStore keys = keys(directory);
    Path authority = pem(directory, keys);
    try (ServerProcess server = new EmbeddedServer().start();
        TlsFront front = new TlsFront(keys, server.url().port())) {
      String uri = "rediss://localhost:" + front.port();
      String ca = authority.toString();
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

  private static KeyStore keys(Path directory) throws Exception {
    Path file = directory.resolve("keys.p12");
    Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
    List<String> command =
        List.of(
            keytool.toString(),
            "-genkeypair",
            "-alias",
            "server",
            "-keyalg",
            "EC",
            "-dname",
            "CN=localhost",
            "-ext",
            "SAN=dns:localhost",
            "-validity",
            "2",
            "-storetype",
            "PKCS12",
            "-keystore",
            file.toString(),
            "-storepass",
            new String(STORE));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      keys.load(in, STORE);
    }
    return keys;
  }

  private static Path pem(Path directory, KeyStore keys) throws Exception {
    byte[] certificate = keys.getCertificate("server").getEncoded();
    String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(certificate);
    return Files.writeString(
        directory.resolve("ca.pem"),
        "-----BEGIN CERTIFICATE-----\n" + lines + "\n-----END CERTIFICATE-----\n");
  }

  /** Ends TLS in front of a server that has none. */
  private static final class TlsFront implements AutoCloseable {
    private final SSLServerSocket listening;
    private final int target;

    TlsFront(KeyStore keys, int target) throws Exception {
      this.target = target;
      KeyManagerFactory managers =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      managers.init(keys, STORE);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(managers.getKeyManagers(), null, null);
      listening =
          (SSLServerSocket)
              context
                  .getServerSocketFactory()
                  .createServerSocket(0, 50, InetAddress.getLoopbackAddress());
      new Thread(this::accept, "tls-front").start();
    }

    int port() {
      return listening.getLocalPort();
    }

    private void accept() {
      while (true) {
        try {
          Socket client = listening.accept();
          new Thread(() -> join(client), "tls-front-link").start();
        } catch (IOException closed) {
          return;
        }
      }
    }

    private void join(Socket client) {
      try (client;
          Socket server = new Socket(InetAddress.getLoopbackAddress(), target)) {
        Thread back = new Thread(() -> copy(server, client), "tls-front-back");
        back.start();
        copy(client, server);
      } catch (IOException ended) {
        return;
      }
    }

    private static void copy(Socket from, Socket to) {
      try (InputStream in = from.getInputStream();
          OutputStream out = to.getOutputStream()) {
        in.transferTo(out);
      } catch (IOException ended) {
        return;
      }
    }

    @Override
    public void close() {
      try {
        listening.close();
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
    }
  }
}
