package io.github.penstock.testkit.topology;

import io.github.penstock.testkit.server.GivenServer;
import io.github.penstock.testkit.server.TestServer;
import java.util.List;

/**
 * One server alone.
 *
 * @param server the server
 */
public record StandaloneServer(TestServer server) implements RedisDeployment {
  @Override
  public ServerEndpoint endpoint() {
    return new ServerEndpoint.Single(server.url());
  }

  @Override
  public List<TestServer> masters() {
    return List.of(server);
  }

  @Override
  public TestServer owner(String key) {
    return server;
  }

  @Override
  public boolean isOurs() {
    return !(server instanceof GivenServer);
  }

  @Override
  public void close() {
    server.close();
  }
}
