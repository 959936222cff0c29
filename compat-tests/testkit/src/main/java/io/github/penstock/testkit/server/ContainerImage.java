package io.github.penstock.testkit.server;

import io.github.penstock.testkit.resp.RedisUrl;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/**
 * A container image, started through Testcontainers, which must be on the class path.
 *
 * @param image such as {@code redis:8.0} or {@code valkey/valkey:8.1}
 */
public record ContainerImage(String image) implements ServerSource {
  private static final int PORT = 6379;

  /** True if a container engine answers. The first call takes about 250 ms. */
  static boolean engineAnswers() {
    return DockerClientFactory.instance().isDockerAvailable();
  }

  @Override
  public String name() {
    return image;
  }

  @Override
  public TestServer start(String... options) {
    GenericContainer<?> container =
        new GenericContainer<>(DockerImageName.parse(image))
            .withExposedPorts(PORT)
            .withCommand(command(options))
            .waitingFor(Wait.forLogMessage(".*Ready to accept connections.*", 1))
            .withStartupTimeout(Duration.ofSeconds(60));
    try {
      container.start();
    } catch (RuntimeException failure) {
      container.close();
      throw new IllegalStateException("no container of " + image + " starts", failure);
    }
    Running running = new Running(image, container);
    RunningServers.add(running);
    return running;
  }

  private String[] command(String... options) {
    String executable = image.contains("valkey") ? "valkey-server" : "redis-server";
    List<String> command =
        new ArrayList<>(
            List.of(executable, "--protected-mode", "no", "--save", "", "--appendonly", "no"));
    command.addAll(List.of(options));
    return command.toArray(String[]::new);
  }

  private record Running(String name, GenericContainer<?> container) implements TestServer {
    @Override
    public RedisUrl url() {
      return new RedisUrl(container.getHost(), container.getMappedPort(PORT), null, null, 0);
    }

    @Override
    public void close() {
      RunningServers.remove(this);
      container.close();
    }
  }
}
