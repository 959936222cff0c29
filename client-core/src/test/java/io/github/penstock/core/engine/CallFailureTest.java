package io.github.penstock.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.core.MayHaveBeenChargedException;
import io.github.penstock.core.NoDecisionException;
import io.github.penstock.core.PenstockException;
import io.github.penstock.core.ScriptRefusedException;
import io.github.penstock.core.spi.NotSentException;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.scripts.LuaScript;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CallFailureTest {
  private static final String WRAPPED =
      "ERR Error running script (call to f_8d3f): @user_script:9: @user_script: 9: ";
  private final RuntimeException thrown = new IllegalStateException("the client's own");
  private final ScriptCall call =
      new ScriptCall(
          ScriptCall.Verb.FCALL, LuaScript.TOKEN_BUCKET, new byte[] {'k'}, null, new byte[0][], 0);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "NOSCRIPT No matching script. Please use EVAL.",
        "NOSCRIPT No matching script.",
        "MOVED 3999 127.0.0.1:6381",
        "ASK 3999 127.0.0.1:6381",
        "CLUSTERDOWN The cluster is down",
        "LOADING Redis is loading the dataset in memory",
        "READONLY You can't write against a read only replica.",
        "READONLY You can't write against a read only replica. script: 8d3f, on @user_script:9.",
        WRAPPED + "-READONLY You can't write against a read only replica.",
        "OOM command not allowed when used memory > 'maxmemory'. script: 8d3f, on @user_script:9.",
        WRAPPED + "-OOM command not allowed when used memory > 'maxmemory'.",
        "MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist.",
        WRAPPED + "-MISCONF Redis is configured to save RDB snapshots",
        "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.",
        "NOREPLICAS Not enough good replicas to write.",
        WRAPPED + "-NOREPLICAS Not enough good replicas to write.",
        "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
        WRAPPED
            + "-MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
        "TRYAGAIN Multiple keys request during rehashing of slot",
        "ERR max number of clients reached"
      })
  @DisplayName(
      "what proves that a call did not run is unavailability, with the client's own as cause")
  void didNotRun(String text) {
    CallFailure failure = CallFailure.of(thrown, text, call);
    assertThat(failure.unavailable()).isTrue();
    assertThat(failure.exception("api"))
        .isExactlyInstanceOf(NoDecisionException.class)
        .hasMessage(
            "policy api, key k: no decision could be made, and nothing was charged: the client's own")
        .hasCause(thrown);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "NOPERM this user has no permissions to run the 'evalsha' command",
        "ERR ACL failure in script: User x has no permissions to run the 'get' command script: 8d3f",
        WRAPPED + "The user executing the script can't run this command or subcommand",
        "NOAUTH Authentication required.",
        "WRONGPASS invalid username-password pair or user is disabled.",
        "WRONGTYPE Operation against a key holding the wrong kind of value",
        "WRONGTYPE Operation against a key holding the wrong kind of value script: 8d3f, on @u:9.",
        WRAPPED + "WRONGTYPE Operation against a key holding the wrong kind of value",
        "CROSSSLOT Keys in request don't hash to the same slot",
        "DENIED Redis is running in protected mode because protected mode is enabled",
        "ERR unknown command 'EVALSHA_RO', with args beginning with: '8d3f' '1'"
      })
  @DisplayName("a mistake is no unavailability, and has the server's words")
  void refused(String text) {
    CallFailure failure = CallFailure.of(thrown, text, call);
    assertThat(failure.unavailable()).isFalse();
    assertThat(failure.exception("api"))
        .isExactlyInstanceOf(PenstockException.class)
        .hasMessage("policy api, key k: " + text)
        .hasCause(thrown);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ERR penstock token-bucket: state must be what this script stores",
        "penstock says: ERR penstock token-bucket: state must be what this script stores"
      })
  @DisplayName("the script's own error keeps its words")
  void ours(String text) {
    CallFailure failure = CallFailure.of(thrown, text, call);
    assertThat(failure.unavailable()).isFalse();
    assertThat(failure.exception("api"))
        .isExactlyInstanceOf(ScriptRefusedException.class)
        .hasMessage(
            "penstock token-bucket: state must be what this script stores (policy api, key k)")
        .hasCause(thrown);
  }

  @Test
  @DisplayName("a function that is not there says what to do")
  void functionNotFound() {
    CallFailure failure = CallFailure.of(thrown, "ERR Function not found", call);
    assertThat(failure.unavailable()).isFalse();
    assertThat(failure.exception("api"))
        .isExactlyInstanceOf(PenstockException.class)
        .hasMessageContaining("penstock_1_token_bucket")
        .hasMessageContaining("loadFunctions()")
        .hasCause(thrown);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ERR upstream failure",
        "BUSYKEY Target key name already exists.",
        "ERR NOSCRIPTS are here",
        "ERR MOVED house",
        ""
      })
  @DisplayName("any other answer proves nothing")
  void provesNothing(String text) {
    CallFailure failure = CallFailure.of(thrown, text, call);
    assertThat(failure.unavailable()).isTrue();
    assertThat(failure.exception("api"))
        .isExactlyInstanceOf(MayHaveBeenChargedException.class)
        .hasMessageContaining("token-bucket")
        .hasMessageContaining("may have been charged")
        .hasCause(thrown);
  }

  @Test
  @DisplayName("no answer to a peek says that nothing was charged")
  void unansweredPeek() {
    ScriptCall peek =
        new ScriptCall(
            ScriptCall.Verb.EVALSHA,
            LuaScript.TOKEN_BUCKET,
            new byte[] {'k'},
            new byte[] {'0'},
            new byte[0][],
            0);
    CallFailure failure = CallFailure.of(thrown, null, peek);
    assertThat(failure.unavailable()).isTrue();
    assertThat(failure.exception("api"))
        .isExactlyInstanceOf(NoDecisionException.class)
        .hasMessageContaining("a peek charges nothing")
        .hasCause(thrown);
  }

  @Test
  @DisplayName(
      "no answer at all may have been charged, unless the port knows that nothing was sent")
  void unanswered() {
    assertThat(CallFailure.of(thrown, null, call).exception("api"))
        .isInstanceOf(MayHaveBeenChargedException.class);
    NotSentException notSent = new NotSentException(thrown);
    assertThat(CallFailure.of(notSent, null, call).exception("api"))
        .isExactlyInstanceOf(NoDecisionException.class)
        .hasCause(thrown);
    assertThat(CallFailure.of(notSent, "WRONGPASS invalid username-password pair", call))
        .extracting(CallFailure::unavailable)
        .isEqualTo(false);
  }

  @Test
  @DisplayName("only a call that lacks nothing but a connection may wait for one")
  void waitsForAConnection() {
    NotSentException lacking = NotSentException.notConnected(thrown);
    assertThat(CallFailure.lacksConnection(lacking, null)).isTrue();
    assertThat(CallFailure.lacksConnection(lacking, "LOADING")).isTrue();
    assertThat(CallFailure.lacksConnection(lacking, "WRONGPASS invalid")).isFalse();
    assertThat(CallFailure.lacksConnection(new NotSentException(thrown), null)).isFalse();
    assertThat(CallFailure.lacksConnection(thrown, null)).isFalse();
  }
}
