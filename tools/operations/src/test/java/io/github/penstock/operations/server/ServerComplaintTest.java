package io.github.penstock.operations.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

class ServerComplaintTest {
  @Test
  void anErrorOfTheServerIsKnownByItsCodeAndNotByItsWords() {
    assertThat(ServerComplaint.of("h:1", "LOADING Redis is loading"))
        .hasMessageContaining("is still loading");
    assertThat(ServerComplaint.of("h:1", "ERR a LOADING READONLY OOM"))
        .hasMessage("h:1 answers: ERR a LOADING READONLY OOM");
    RuntimeException wrapped = new IllegalStateException(new JedisDataException("READONLY You"));
    assertThat(ServerComplaint.of("h:1", wrapped))
        .hasMessageContaining("is a replica")
        .hasCause(wrapped);
  }

  @Test
  void aConnectionIsKnownByTheTypeOfItsFailure() {
    JedisConnectionException none = new JedisConnectionException("Failed to connect");
    none.addSuppressed(new SocketTimeoutException("odd"));
    assertThat(ServerComplaint.of("h:1", none)).hasMessageContaining("no server answers at h:1");
    assertThat(ServerComplaint.of("h:1", new IllegalStateException(new UnknownHostException("h"))))
        .hasMessageContaining("no server answers at h:1");
    assertThat(
            ServerComplaint.of(
                "h:1", new JedisConnectionException(new IOException("connection refused by word"))))
        .hasMessageContaining("does not answer like Redis");
  }

  @Test
  void aTerminalGetsNothingToObey() {
    assertThat(ServerComplaint.of("h:1", "ERR \u001b[2J"))
        .hasMessage("h:1 answers: ERR \\u001b[2J");
  }
}
