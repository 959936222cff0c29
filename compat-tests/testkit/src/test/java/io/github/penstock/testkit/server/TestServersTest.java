package io.github.penstock.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.testkit.resp.RedisUrl;
import io.github.penstock.testkit.resp.RespConnection;
import org.junit.jupiter.api.Test;

class TestServersTest {

  @Test
  void oneServerIsAlwaysThere() {
    TestServer server = TestServers.one();
    try (RespConnection connection = server.connect()) {
      assertThat(connection.call("PING")).isEqualTo("PONG");
    }
    assertThat(TestServers.one().url()).isEqualTo(server.url());
    assertThat(server.version()).matches("(redis|valkey) \\d+\\.\\d+.*");
  }

  @Test
  void sharedServersSurviveClosing() {
    TestServers.all().forEach(TestServer::close);
    for (TestServer server : TestServers.all()) {
      try (RespConnection connection = server.connect()) {
        assertThat(connection.call("PING")).as(server.name()).isEqualTo("PONG");
      }
    }
    assertThat(TestServers.sources()).hasSameSizeAs(TestServers.all());
  }

  @Test
  void givenServerIsLeftRunning() {
    try (ServerProcess process = new EmbeddedServer().start()) {
      RedisUrl url = RedisUrl.parse(process.url().toString());
      new GivenServer(url).start().close();
      try (RespConnection connection = process.connect()) {
        assertThat(connection.call("PING")).isEqualTo("PONG");
      }
    }
  }
}
