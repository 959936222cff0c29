package io.github.penstock.compat.failure;

import io.github.penstock.compat.failure.FailureScenario.ScenarioClient;
import io.github.penstock.compat.load.ChargeCount;
import io.github.penstock.compat.script.SubjectKey;
import io.github.penstock.testkit.fault.FaultProxy;
import io.github.penstock.testkit.fault.NetworkFault;
import io.github.penstock.testkit.resp.RedisUrl;
import io.github.penstock.testkit.server.FreePorts;
import io.github.penstock.testkit.server.ServerProcess;
import io.github.penstock.testkit.server.TestServer;
import io.github.penstock.testkit.topology.ClusterDeployment;
import io.github.penstock.testkit.topology.DirectCommands;
import io.github.penstock.testkit.topology.RedisDeployment;
import io.github.penstock.testkit.topology.ServerEndpoint;
import io.github.penstock.testkit.topology.ServerEvents;
import io.github.penstock.testkit.topology.SharedDeployments;
import io.github.penstock.testkit.topology.StandaloneServer;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The servers of a scenario, each behind a proxy, with the checks that these have passed on. */
record ScenarioServers(
    FailureScenario scenario,
    RedisDeployment deployment,
    List<FaultProxy> proxies,
    List<Integer> checks,
    DirectCommands commands)
    implements AutoCloseable {
  private static final String USER = "scenario";

  /** A server of the scenario's own. */
  static ScenarioServers single(FailureScenario scenario) {
    ServerProcess server = SharedDeployments.process();
    return of(scenario, new StandaloneServer(server), List.of(FaultProxy.before(server.url())));
  }

  /** The shared cluster behind proxies. */
  static ScenarioServers cluster(FailureScenario scenario) {
    ClusterDeployment cluster = SharedDeployments.clusterBehindProxies();
    return of(scenario, cluster, cluster.proxies());
  }

  private static ScenarioServers of(
      FailureScenario scenario, RedisDeployment deployment, List<FaultProxy> proxies) {
    List<Integer> checks = proxies.stream().map(FaultProxy::checks).toList();
    return new ScenarioServers(scenario, deployment, proxies, checks, deployment.commands());
  }

  private boolean isShared() {
    return deployment instanceof ClusterDeployment;
  }

  /** Where the scenario's client finds them. */
  ServerEndpoint endpoint() {
    List<RedisUrl> urls = proxies.stream().map(proxy -> of(proxy.url().port())).toList();
    return isShared() ? new ServerEndpoint.Cluster(urls) : new ServerEndpoint.Single(urls.get(0));
  }

  private RedisUrl of(int port) {
    ScenarioClient client = scenario.client();
    String user = client.user() == null ? null : client.user().replace("$user", USER);
    int there = client.at().equals("nobody") ? FreePorts.next() : port;
    return new RedisUrl("127.0.0.1", there, user, client.password(), client.database());
  }

  /** Returns once the checks of so many clients were answered by each server. */
  void awaitChecks(int clients) {
    ServerEvents.await("answers to checks")
        .until(
            () ->
                IntStream.range(0, proxies.size())
                    .allMatch(at -> proxies.get(at).checks() - checks.get(at) >= clients));
  }

  /** Begins the fault. */
  void begin() {
    scenario.commands().forEach(command -> everywhere(command, ""));
    tell(scenario.bed().get(0));
    switch (scenario.policy()) {
      case "lost" -> proxies.forEach(proxy -> proxy.setOnCalls(NetworkFault.CUT));
      case "slow" -> proxies.forEach(proxy -> proxy.setOnCalls(NetworkFault.REPLY_HELD));
      case "told" -> proxies.forEach(proxy -> proxy.answer(scenario.subject()));
      default -> {}
    }
  }

  /** Does what comes before the call of a subject. */
  void before(String subject) {
    if (!scenario.beforeEach().isEmpty()) {
      everywhere(scenario.beforeEach(), key(subject));
    }
  }

  /** Ends the fault, if there is one. */
  void end() {
    proxies.forEach(proxy -> proxy.set(NetworkFault.NONE));
    tell(scenario.bed().get(1));
    scenario.undo().forEach(command -> everywhere(command, ""));
  }

  /** Returns how many units of a subject are charged. */
  long charged(String subject) {
    return ChargeCount.at(key(subject), commands);
  }

  private String key(String subject) {
    return SubjectKey.of(scenario.policy(), subject, FailureCheck.LIMIT);
  }

  private void everywhere(List<String> command, String key) {
    String[] filled =
        command.stream()
            .map(word -> word.replace("$user", USER).replace("$key", key))
            .toArray(String[]::new);
    deployment.masters().forEach(server -> commands.expect(server, filled));
  }

  private void tell(@Nullable String word) {
    switch (word == null ? "up" : word) {
      case "down" -> proxies.forEach(proxy -> proxy.set(NetworkFault.REFUSED));
      case "up", "release" -> proxies.forEach(proxy -> proxy.set(NetworkFault.NONE));
      case "stop" -> process().freeze();
      case "cont" -> process().thaw();
      case "flush" -> deployment.masters().forEach(this::flush);
      default -> throw new IllegalArgumentException(word);
    }
  }

  private ServerProcess process() {
    return (ServerProcess) deployment.masters().get(0);
  }

  private void flush(TestServer server) {
    commands.expect("OK", server, "SCRIPT", "FLUSH");
    if (server.hasFunctions()) {
      commands.expect("OK", server, "FUNCTION", "FLUSH");
    }
  }

  @Override
  public void close() {
    end();
    commands.close();
    if (!isShared()) {
      proxies.forEach(FaultProxy::close);
      deployment.close();
    }
  }
}
