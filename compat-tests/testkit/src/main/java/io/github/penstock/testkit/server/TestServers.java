package io.github.penstock.testkit.server;

import io.github.penstock.testkit.resp.RedisUrl;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Decides which server a test or a demonstration runs on, and says so on the standard error stream.
 *
 * <p>{@link #one} takes the first there is of
 *
 * <ol>
 *   <li>the server at {@code -Dpenstock.redis=redis://...}, which is used as it is and left
 *       running;
 *   <li>the first of {@code -Dpenstock.servers=...}, see {@link ServerList};
 *   <li>a container of {@value #DEFAULT_IMAGE}, if Testcontainers is on the class path, an engine
 *       answers and the container starts;
 *   <li>a {@code redis-server} or {@code valkey-server} on the PATH;
 *   <li>the embedded redis-server.
 * </ol>
 *
 * <p>{@link #all} is for rules that apply to every server: the server at {@code penstock.redis}
 * alone, or else the embedded one and every one of {@code penstock.servers}.
 *
 * <p>Servers from {@link #one} and {@link #all} are started once and shared by the whole JVM, which
 * ends them; closing one does nothing. Use unique keys. Safe for use by several threads.
 */
public final class TestServers {
  /** The image that is started when an engine answers and nothing was chosen. */
  public static final String DEFAULT_IMAGE = "redis:8.0";

  private static final Map<ServerSource, TestServer> STARTED = new ConcurrentHashMap<>();

  private TestServers() {}

  /** The server to use where one is enough, started. */
  public static TestServer one() {
    return given()
        .or(() -> listed().stream().findFirst())
        .map(TestServers::started)
        .or(TestServers::container)
        .orElseGet(() -> started(onPath().orElseGet(EmbeddedServer::new)));
  }

  /** Every server to use, started. */
  public static List<TestServer> all() {
    return sources().stream().map(TestServers::started).toList();
  }

  /** The sources that {@link #all} starts. */
  public static List<ServerSource> sources() {
    Optional<ServerSource> given = given();
    if (given.isPresent()) {
      return List.of(given.get());
    }
    List<ServerSource> sources = new ArrayList<>(List.of(new EmbeddedServer()));
    listed().stream().filter(source -> !sources.contains(source)).forEach(sources::add);
    return List.copyOf(sources);
  }

  private static TestServer started(ServerSource source) {
    return STARTED.computeIfAbsent(source, TestServers::announced);
  }

  private static TestServer announced(ServerSource source) {
    TestServer server = source.start();
    say("using " + server.version() + " (" + server.name() + ") at " + server.url());
    return new GivenServer(server.name(), server.url());
  }

  private static void say(String sentence) {
    System.err.println("penstock: " + sentence);
  }

  private static Optional<ServerSource> given() {
    return property("penstock.redis").map(RedisUrl::parse).map(GivenServer::new);
  }

  private static List<ServerSource> listed() {
    return property("penstock.servers").map(ServerList::parse).orElse(List.of());
  }

  private static Optional<String> property(String name) {
    return Optional.ofNullable(System.getProperty(name))
        .map(String::strip)
        .filter(s -> !s.isEmpty());
  }

  private static Optional<TestServer> container() {
    try {
      Class.forName("org.testcontainers.DockerClientFactory");
      return ContainerImage.engineAnswers()
          ? Optional.of(started(new ContainerImage(DEFAULT_IMAGE)))
          : Optional.empty();
    } catch (ClassNotFoundException withoutTestcontainers) {
      return Optional.empty();
    } catch (IllegalStateException failure) {
      say(failure.getMessage() + "; looking for another server");
      return Optional.empty();
    }
  }

  private static Optional<ServerSource> onPath() {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return Stream.of("redis-server", "valkey-server")
        .flatMap(name -> Stream.of(path.split(File.pathSeparator)).map(dir -> Path.of(dir, name)))
        .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
        .findFirst()
        .map(file -> new ServerExecutable(file.getFileName().toString(), file));
  }
}
