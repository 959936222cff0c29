package io.github.penstock.compat;

import io.github.penstock.compat.resp.RespConnection;
import io.github.penstock.compat.resp.RespVersion;
import io.github.penstock.compat.server.TestServer;
import io.github.penstock.compat.server.TestServers;
import java.util.ArrayList;
import java.util.List;

/**
 * One way to reach the scripts: a server, a form, a protocol version, and a connection per thread
 * with the scripts loaded.
 *
 * <p>Per thread, because a property that fails is still being shrunk in a thread of its own when
 * the next test runs.
 */
record Lane(
    TestServer server,
    ScriptForm form,
    RespVersion version,
    ThreadLocal<RespConnection> connections) {

  /** Every form on every server, one of them also in the other protocol version. */
  static List<Lane> all() {
    return Lanes.ALL;
  }

  /** The minified scripts on every server, once. */
  static List<Lane> minified() {
    return all().stream()
        .filter(lane -> lane.form == ScriptForm.MINIFIED && lane.version == RespVersion.RESP2)
        .toList();
  }

  private static Lane open(TestServer server, ScriptForm form, RespVersion version) {
    return new Lane(
        server, form, version, ThreadLocal.withInitial(() -> connect(server, form, version)));
  }

  private static RespConnection connect(TestServer server, ScriptForm form, RespVersion version) {
    RespConnection connection = server.connect(version);
    form.load(connection);
    return connection;
  }

  RespConnection connection() {
    return connections.get();
  }

  ScriptPort port() {
    return (script, keys, arguments) ->
        DirectPort.answer(connection().call(form.command(script, keys, arguments)));
  }

  @Override
  public String toString() {
    return server.name() + ", " + form + ", " + version;
  }

  private static final class Lanes {
    static final List<Lane> ALL = TestServers.all().stream().flatMap(s -> of(s).stream()).toList();

    private static List<Lane> of(TestServer server) {
      List<Lane> lanes = new ArrayList<>();
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
