package io.github.penstock.testkit.resp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import io.github.penstock.testkit.server.TestServer;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RespConnectionTest {

  @ParameterizedTest
  @EnumSource
  void everyKindOfAnswer(RespVersion version) {
    try (ServerProcess server = new EmbeddedServer().start();
        RespConnection connection = server.connect(version)) {
      assertThat(connection.call("ECHO", "\u65e5\0\r\n")).isEqualTo("\u65e5\0\r\n");
      assertThat(connection.call("GET", "none")).isNull();
      assertThat(connection.call("NONE")).isInstanceOf(RespError.class);
      assertThat(connection.call("EVAL", "return {1, {'a'}, false}", "0"))
          .isEqualTo(Arrays.asList(1L, List.of("a"), null));
      assertThat(connection.call("HSET", "h", "f", "v")).isEqualTo(1L);
      boolean two = version == RespVersion.RESP2;
      assertThat(connection.call("HGETALL", "h"))
          .isEqualTo(two ? List.of("f", "v") : Map.of("f", "v"));
      connection.call("ZADD", "z", "1.5", "m");
      assertThat(connection.call("ZSCORE", "z", "m")).isEqualTo(two ? "1.5" : (Object) 1.5);
    }
  }

  @Test
  void pipelineAnswersInOrder() {
    try (ServerProcess server = new EmbeddedServer().start();
        RespConnection connection = server.connect()) {
      for (int i = 0; i < 1000; i++) {
        connection.send("ECHO", Integer.toString(i));
      }
      for (int i = 0; i < 1000; i++) {
        assertThat(connection.receive()).isEqualTo(Integer.toString(i));
      }
    }
  }

  @Test
  void passwordAndDatabase() {
    try (ServerProcess server = new EmbeddedServer().start();
        RespConnection first = server.connect()) {
      first.call("CONFIG", "SET", "requirepass", "a:secret");
      RedisUrl url = RedisUrl.parse("redis://:a%3Asecret@127.0.0.1:" + server.url().port() + "/3");
      try (RespConnection connection =
          RespConnection.open(url, RespVersion.RESP3, TestServer.TIMEOUT)) {
        assertThat(connection.call("CLIENT", "INFO")).asString().contains(" db=3 ");
      }
      assertThatThrownBy(
              () ->
                  RespConnection.open(
                      RedisUrl.parse("redis://:wrong@127.0.0.1:" + server.url().port()),
                      TestServer.TIMEOUT))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("WRONGPASS");
    }
  }

  @Test
  void urls() {
    assertThat(RedisUrl.parse("redis://localhost"))
        .isEqualTo(new RedisUrl("localhost", 6379, null, null, 0));
    assertThat(RedisUrl.parse("redis://me:pw@db.example:7000/2"))
        .isEqualTo(new RedisUrl("db.example", 7000, "me", "pw", 2))
        .hasToString("redis://db.example:7000");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost:6379",
        "http://localhost",
        "redis://",
        "redis://h/x",
        "redis://h:99999"
      })
  void noUrls(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> RedisUrl.parse(text));
  }
}
