package io.github.penstock.compat;

import io.github.penstock.testkit.model.ScriptAlgorithm;
import io.github.penstock.testkit.resp.RespConnection;
import io.github.penstock.testkit.resp.RespVersion;
import io.github.penstock.testkit.script.ScriptAnswer;
import io.github.penstock.testkit.script.ScriptClient;
import io.github.penstock.testkit.script.ScriptForm;
import io.github.penstock.testkit.server.TestServer;
import io.github.penstock.testkit.server.TestServers;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/**
 * One way to reach the scripts: a server, a form, a protocol version, and a connection per thread
 * with the scripts loaded.
 *
 * <p>Per thread, because a property that fails is still being shrunk in a thread of its own when
 * the next test runs.
 */
public record ScriptRoute(
    TestServer server,
    ScriptForm form,
    RespVersion version,
    ThreadLocal<RespConnection> connections) {

  /** Every form on every server, one of them also in the other protocol version. */
  public static List<ScriptRoute> all() {
    return OpenRoutes.ALL;
  }

  /** All routes with each algorithm, as the arguments of a test. */
  static Stream<Arguments> withScripts() {
    return all().stream()
        .flatMap(
            route ->
                Stream.of(ScriptAlgorithm.values()).map(script -> Arguments.of(route, script)));
  }

  /** The minified scripts on every server, once. */
  public static List<ScriptRoute> minified() {
    return all().stream()
        .filter(route -> route.form == ScriptForm.MINIFIED && route.version == RespVersion.RESP2)
        .toList();
  }

  private static ScriptRoute open(TestServer server, ScriptForm form, RespVersion version) {
    return new ScriptRoute(
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

  private static final class OpenRoutes {
    static final List<ScriptRoute> ALL =
        TestServers.all().stream().flatMap(s -> of(s).stream()).toList();

    private static List<ScriptRoute> of(TestServer server) {
      List<ScriptRoute> routes = new ArrayList<>();
      routes.add(open(server, ScriptForm.MINIFIED, RespVersion.RESP2));
      routes.add(open(server, ScriptForm.MINIFIED, RespVersion.RESP3));
      routes.add(open(server, ScriptForm.READABLE, RespVersion.RESP2));
      if (ScriptForm.FUNCTION.worksOn(server)) {
        routes.add(open(server, ScriptForm.FUNCTION, RespVersion.RESP2));
        routes.add(open(server, ScriptForm.FUNCTION, RespVersion.RESP3));
      }
      return routes;
    }
  }
}
