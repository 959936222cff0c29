package io.github.penstock.testkit.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.testkit.resp.RespConnection;
import io.github.penstock.testkit.resp.RespVersion;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.TestServer;
import io.github.penstock.testkit.server.TestServers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class FaultProxyTest {
  /* For what never comes: an answer that does come is waited for as long as it takes. */
  private static final Duration SILENCE = Duration.ofMillis(300);

  private static final String INCREMENT = "return redis.call('INCR', KEYS[1])";

  private final TestServer server = TestServers.one();
  private final FaultProxy proxy = FaultProxy.before(server.url());
  private final String key = UUID.randomUUID().toString();

  @AfterEach
  void close() {
    proxy.close();
    try (RespConnection direct = server.connect()) {
      direct.call("DEL", key);
    }
  }

  private RespConnection connect() {
    return RespConnection.open(proxy.url(), RespVersion.RESP3, TestServer.TIMEOUT);
  }

  private Object increment(RespConnection connection) {
    return connection.call("EVAL", INCREMENT, "1", key);
  }

  private static void expectSilence(RespConnection connection, ThrowingCallable call) {
    connection.awaitAtMost(SILENCE);
    assertThatThrownBy(call).hasRootCauseInstanceOf(SocketTimeoutException.class);
    connection.awaitAtMost(TestServer.TIMEOUT);
  }

  private Object executed() {
    try (RespConnection direct = server.connect()) {
      return direct.call("GET", key);
    }
  }

  @Test
  @DisplayName("once it has moved, old connections stay where they are and new ones go elsewhere")
  void moves() {
    try (TestServer other = new EmbeddedServer().start();
        RespConnection old = connect()) {
      proxy.moveTo(other.url());
      increment(old);
      try (RespConnection connection = connect()) {
        assertThat(connection.call("EXISTS", key)).isEqualTo(0L);
      }
      assertThat(old.call("GET", key)).isEqualTo("1");
      assertThat(proxy.connections()).isEqualTo(2);
    }
  }

  @Test
  @DisplayName("without a fault everything passes, in order, and nothing counts as faulted")
  void passes() {
    try (RespConnection connection = connect()) {
      for (int i = 0; i < 100; i++) {
        connection.send("EVAL", INCREMENT, "1", key);
        connection.send("ECHO", "x".repeat(i * 100));
      }
      for (int i = 0; i < 100; i++) {
        assertThat(connection.receive()).isEqualTo(i + 1L);
        assertThat(connection.receive()).isEqualTo("x".repeat(i * 100));
      }
    }
    assertThat(proxy.faulted()).isZero();
  }

  @Test
  @DisplayName(
      "where it is not reachable connecting neither succeeds nor fails, and later it works")
  void unreachable() throws IOException {
    proxy.set(NetworkFault.UNREACHABLE);
    InetSocketAddress address = new InetSocketAddress(proxy.url().host(), proxy.url().port());
    try (Socket socket = new Socket()) {
      assertThatThrownBy(() -> socket.connect(address, 300))
          .isInstanceOf(SocketTimeoutException.class);
    }
    proxy.set(NetworkFault.NONE);
    try (RespConnection connection = connect()) {
      assertThat(increment(connection)).isEqualTo(1L);
    }
  }

  @Test
  @DisplayName("what is silent stays so when faults end, and new connections work")
  void silent() {
    try (RespConnection connection = connect()) {
      assertThat(increment(connection)).isEqualTo(1L);
      proxy.set(NetworkFault.SILENT);
      expectSilence(connection, () -> increment(connection));
      try (RespConnection other = connect()) {
        assertThat(increment(other)).isEqualTo(2L);
        proxy.set(NetworkFault.NONE);
        expectSilence(connection, () -> connection.call("PING"));
        assertThat(increment(other)).isEqualTo(3L);
      }
    }
    assertThat(proxy.faulted()).isZero();
  }

  @Test
  @DisplayName(
      "only the reply of the third call is dropped, with what would follow it, and it was executed")
  void dropsTheThirdReply() {
    proxy.setOnce(NetworkFault.REPLY_DROPPED, 3);
    try (RespConnection connection = connect();
        RespConnection other = connect()) {
      assertThat(increment(connection)).isEqualTo(1L);
      assertThat(connection.call("PING")).isEqualTo("PONG");
      assertThat(increment(connection)).isEqualTo(2L);
      expectSilence(connection, () -> increment(connection));
      expectSilence(connection, () -> connection.call("PING"));
      assertThat(increment(other)).isEqualTo(4L);
    }
    assertThat(proxy.faulted()).isEqualTo(1);
  }

  @Test
  @DisplayName("a connection is cut after its call was executed")
  void cuts() {
    proxy.set(NetworkFault.CUT);
    try (RespConnection connection = connect()) {
      assertThat(connection.call("PING")).isEqualTo("PONG");
      assertThatThrownBy(() -> increment(connection)).isInstanceOf(UncheckedIOException.class);
    }
    assertThat(executed()).isEqualTo("1");
  }

  @Test
  @DisplayName("a late reply arrives, late")
  void delays() {
    proxy.delay(Duration.ofMillis(100));
    try (RespConnection connection = connect()) {
      long start = System.nanoTime();
      assertThat(increment(connection)).isEqualTo(1L);
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(99));
    }
  }

  @Test
  @DisplayName("into a black hole goes everything, and comes out when it ends")
  void blackHole() {
    try (RespConnection connection = connect()) {
      assertThat(connection.call("PING")).isEqualTo("PONG");
      proxy.set(NetworkFault.BLACK_HOLE);
      expectSilence(connection, () -> increment(connection));
      assertThat(executed()).isNull();
      proxy.set(NetworkFault.NONE);
      assertThat(connection.receive()).isEqualTo(1L);
    }
  }

  @Test
  @DisplayName("what is in a black hole is cut when the proxy ends")
  void endsAsBlackHole() throws IOException {
    byte[] ping = "*1\r\n$4\r\nPING\r\n".getBytes(StandardCharsets.US_ASCII);
    List<Socket> clients = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      Socket client = new Socket(proxy.url().host(), proxy.url().port());
      clients.add(client);
      client.setSoTimeout((int) TestServer.TIMEOUT.toMillis());
      client.getOutputStream().write(ping);
      assertThat(client.getInputStream().readNBytes(7)).asString().isEqualTo("+PONG\r\n");
    }
    proxy.set(NetworkFault.BLACK_HOLE);
    for (Socket client : clients) {
      client.getOutputStream().write(ping);
    }
    proxy.close();
    for (Socket client : clients) {
      assertThat(ended(client)).isTrue();
      client.close();
    }
  }

  private static boolean ended(Socket client) throws IOException {
    try {
      return client.getInputStream().read() < 0;
    } catch (SocketException reset) {
      return true;
    }
  }

  @Test
  @DisplayName("refused connections are refused, and not any more afterwards")
  void refuses() {
    try (RespConnection connection = connect()) {
      proxy.set(NetworkFault.REFUSED);
      assertThatThrownBy(() -> increment(connection)).isInstanceOf(UncheckedIOException.class);
      assertThatThrownBy(this::connect).isInstanceOf(UncheckedIOException.class);
    }
    proxy.set(NetworkFault.NONE);
    try (RespConnection again = connect()) {
      assertThat(increment(again)).isEqualTo(1L);
    }
  }
}
