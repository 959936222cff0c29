package io.github.penstock.compat;

import io.github.penstock.testkit.resp.RespConnection;
import io.github.penstock.testkit.resp.RespVersion;
import io.github.penstock.testkit.script.ScriptAnswer;
import io.github.penstock.testkit.script.ScriptClient;
import io.github.penstock.testkit.script.ScriptForm;
import io.github.penstock.testkit.server.TestServer;
import io.github.penstock.testkit.server.TestServers;
import java.util.ArrayList;
import java.util.List;

/**
 * One way to reach the scripts: a server, a form, a protocol version, and a connection per thread
 * with the scripts loaded.
 *
 * <p>Per thread, because a property that fails is still being shrunk in a thread of its own when
 * the next test runs.
 */
public record ScriptLane(
    TestServer server,
    ScriptForm form,
    RespVersion version,
    ThreadLocal<RespConnection> connections) {

  /** Every form on every server, one of them also in the other protocol version. */
  public static List<ScriptLane> all() {
    return Lanes.ALL;
  }

  /** The minified scripts on every server, once. */
  public static List<ScriptLane> minified() {
    return all().stream()
        .filter(lane -> lane.form == ScriptForm.MINIFIED && lane.version == RespVersion.RESP2)
        .toList();
  }

  private static ScriptLane open(TestServer server, ScriptForm form, RespVersion version) {
    return new ScriptLane(
        server, form, version, ThreadLocal.withInitial(() -> connect(server, form, version)));
  }

  private static RespConnection connect(TestServer server, ScriptForm form, RespVersion version) {
    RespConnection connection = server.connect(version);
    form.load(connection);
    return connection;
  }

  /** The connection of this thread, with the scripts loaded. */
  public RespConnection connection() {
    return connections.get();
  }

  /** Calls the scripts in this form. */
  public ScriptClient port() {
    return (script, keys, arguments) ->
        ScriptAnswer.of(connection().call(form.command(script, keys, arguments)));
  }

  @Override
  public String toString() {
    return server.name() + ", " + form + ", " + version;
  }

  private static final class Lanes {
    static final List<ScriptLane> ALL =
        TestServers.all().stream().flatMap(s -> of(s).stream()).toList();

    private static List<ScriptLane> of(TestServer server) {
      List<ScriptLane> lanes = new ArrayList<>();
      lanes.add(open(server, ScriptForm.MINIFIED, RespVersion.RESP2));
      lanes.add(open(server, ScriptForm.MINIFIED, RespVersion.RESP3));
      lanes.add(open(server, ScriptForm.READABLE, RespVersion.RESP2));
      if (ScriptForm.FUNCTION.worksOn(server)) {
        lanes.add(open(server, ScriptForm.FUNCTION, RespVersion.RESP2));
        lanes.add(open(server, ScriptForm.FUNCTION, RespVersion.RESP3));
      }
      return lanes;
    }
  }
}
