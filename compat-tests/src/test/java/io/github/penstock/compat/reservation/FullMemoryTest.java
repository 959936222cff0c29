package io.github.penstock.compat.reservation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.testkit.resp.RespConnection;
import io.github.penstock.testkit.script.ScriptAnswer;
import io.github.penstock.testkit.script.ScriptForm;
import io.github.penstock.testkit.server.ServerSource;
import io.github.penstock.testkit.server.TestServer;
import io.github.penstock.testkit.server.TestServers;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A server whose memory is full refuses to reserve, and lets calls settle. */
class FullMemoryTest {
  private static final String CALL =
      "60000000 0 reserve token-bucket 40 1 100 10 3600000000 reserve concurrency 1 1 2";
  private final String group = "penstock:{full}";

  static Stream<ServerSource> sources() {
    return TestServers.sources().stream();
  }

  @ParameterizedTest
  @MethodSource("sources")
  @DisplayName("R4 a full memory refuses to reserve, and lets what is held be settled")
  void settles(ServerSource source) throws Exception {
    try (TestServer server = source.start();
        RespConnection connection = server.connect()) {
      for (ScriptForm form : ScriptForm.values()) {
        if (form.worksOn(server)) {
          form.load(connection);
          settlesBy(form, connection);
        }
      }
    }
  }

  private void settlesBy(ScriptForm form, RespConnection server) {
    assertThat(reserve(form, server, "a").reply()).startsWith(1L);
    server.call("CONFIG", "SET", "maxmemory", "1");
    assertThat(reserve(form, server, "b").error()).as("%s", form).contains("OOM");
    assertThat(settle(form, server, "60000000", "10").reply()).startsWith(1L);
    assertThat(settle(form, server, "0", "30").reply()).startsWith(1L, 100L, 70L, 0L);
    assertThat(settle(form, server, "0", "30").reply()).startsWith(1L, 100L, 70L, 0L);
    server.call("CONFIG", "SET", "maxmemory", "0");
    assertThat(reserve(form, server, "d").reply()).startsWith(1L, 0L, 0L, 0L, 100L, 30L, 40L);
    server.call("FLUSHALL");
  }

  private ScriptAnswer reserve(ScriptForm form, RespConnection server, String id) {
    List<String> keys = List.of(group + "r", group + "c", group + id);
    return ScriptAnswer.of(server.call(form.command("reserve", keys, List.of(CALL.split(" ")))));
  }

  private ScriptAnswer settle(ScriptForm form, RespConnection server, String keep, String total) {
    List<String> keys = List.of(group + "r", group + "c", group + "a");
    return ScriptAnswer.of(
        server.call(form.command("settle", keys, List.of(keep, "0", total, "0"))));
  }
}
