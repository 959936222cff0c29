package io.github.penstock.compat.topology;

import io.github.penstock.compat.server.GivenServer;
import io.github.penstock.compat.server.TestServer;
import java.util.List;

/**
 * One server alone.
 *
 * @param server the server
 */
public record SingleServer(TestServer server) implements Deployment {
  @Override
  public String name() {
    return "single server";
  }

  @Override
  public Endpoint endpoint() {
    return new Endpoint.Single(server.url());
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
