package io.github.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.benchmarks.plan.ReservationCase;
import io.github.penstock.scripts.LuaScript;
import io.github.penstock.testkit.resp.RespConnection;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.TestServer;
import org.junit.jupiter.api.Test;

class ScriptCostCommandTest {
  @Test
  void everyScriptIsMeasuredAndNothingIsLeftBehind() {
    try (TestServer server = new EmbeddedServer().start();
        RespConnection connection = server.connect()) {
      CommandRun ran =
          CommandRun.penstock(
              "script-cost", "--rounds", "1", "--calls", "1", "--redis", server.url().toString());
      assertThat(ran.exitCode()).as(ran.err()).isZero();
      for (LuaScript script : LuaScript.values()) {
        assertThat(ran.out())
            .containsPattern(
                script.scriptName() + " +allowed +1 +[\\d,]+\\.\\d\\d +[\\d,]+\\.\\d\\d +[1-9]\\d")
            .containsPattern(script.scriptName() + " +denied +3 +\\d");
      }
      for (ReservationCase call : ReservationCase.values()) {
        assertThat(ran.out())
            .containsPattern(call.title() + " +[1-9][\\d,]*\\.\\d\\d +[\\d,]+\\.\\d\\d");
      }
      assertThat(connection.call("DBSIZE")).isEqualTo(0L);
    }
  }
}
