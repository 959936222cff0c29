package io.github.penstock.operations.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.testkit.resp.RespError;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.HostAndPort;

/**
 * What the answers of servers mean that cannot be started here, and clocks that cannot be moved.
 */
class NodeHealthTest {
  @Test
  void theAnswerOfLua54IsRefused() {
    List<Object> lua54 = List.of("Lua 5.4", "3.0 -9223372036709301248", 9007199254740991L);
    assertThatThrownBy(() -> NodeHealth.luaWarning(lua54))
        .isInstanceOf(UserErrorException.class)
        .hasMessageContaining("3.0 -9223372036709301248")
        .hasMessageContaining("docs/reliability.md");
  }

  @Test
  void anAnswerThatLosesDigitsIsRefused() {
    List<Object> rounded = List.of("Lua 5.1", "3 9223372037000249344", 9007199254740992L);
    assertThatThrownBy(() -> NodeHealth.luaWarning(rounded)).isInstanceOf(UserErrorException.class);
  }

  @Test
  void aServerWithoutLuaIsRefused() {
    assertThatThrownBy(() -> NodeHealth.luaWarning(new RespError("ERR unknown command 'EVAL'")))
        .isInstanceOf(UserErrorException.class)
        .hasMessageContaining("does not run Lua");
  }

  @Test
  void clocksMayDifferByASecond() {
    assertThat(NodeReport.clockWarning(List.of(node(1, 0L), node(2, 1_000_000L), node(3, null))))
        .isNull();
    assertThat(NodeReport.clockWarning(List.of(node(1, 400_000L), node(2, -700_000L))))
        .contains("h:1 is 1.1 s ahead of that of h:2");
  }

  private static NodeReport node(int port, @Nullable Long aheadMicros) {
    return new NodeReport(
        new HostAndPort("h", port), true, List.of(), List.of(), aheadMicros, null);
  }

  @Test
  void scriptsThatMayNotWriteAreRefused() {
    assertThat(NodeHealth.writeWarning(List.of("lua-replicate-commands", "yes"))).isNull();
    assertThat(NodeHealth.writeWarning(new RespError("NOPERM")))
        .isEqualTo(
            "was not asked for its lua-replicate-commands: this user may not run CONFIG GET.");
    assertThatThrownBy(() -> NodeHealth.writeWarning(List.of("lua-replicate-commands", "no")))
        .isInstanceOf(UserErrorException.class)
        .hasMessageContaining("every charge fails there");
  }
}
