package io.github.penstock.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Reads a list of servers, separated by commas. Each is
 *
 * <ul>
 *   <li>{@code embedded};
 *   <li>the path of an executable or a launcher, or {@code name=path};
 *   <li>a directory that holds a launcher called {@code server}, or directories that do;
 *   <li>{@code containers:} and an image; the names after it are also images.
 * </ul>
 *
 * <p>Example: {@code redis-8.0=/opt/redis/redis-server,containers:redis:7.4,valkey/valkey:8.1}.
 */
final class ServerList {
  private static final String CONTAINERS = "containers:";
  private static final String LAUNCHER = "server";

  private ServerList() {}

  /**
   * The servers of a list, in its order; an IllegalArgumentException names an entry that is none.
   */
  static List<ServerSource> parse(String list) {
    List<ServerSource> sources = new ArrayList<>();
    boolean images = false;
    for (String entry : list.split(",")) {
      String text = entry.strip();
      images |= text.startsWith(CONTAINERS);
      if (images) {
        String image = text.startsWith(CONTAINERS) ? text.substring(CONTAINERS.length()) : text;
        sources.add(new ContainerImage(image));
      } else if (text.equals("embedded")) {
        sources.add(new EmbeddedServer());
      } else {
        sources.addAll(files(text));
      }
    }
    return List.copyOf(sources);
  }

  private static List<? extends ServerSource> files(String entry) {
    int equals = entry.indexOf('=');
    Path path = Path.of(entry.substring(equals + 1));
    if (equals > 0) {
      return List.of(new ServerExecutable(entry.substring(0, equals), path));
    }
    if (!Files.isDirectory(path)) {
      return List.of(new ServerExecutable(String.valueOf(path.getFileName()), path));
    }
    List<ServerExecutable> launchers = launchers(path);
    if (launchers.isEmpty()) {
      throw new IllegalArgumentException(
          "a directory of servers must hold a launcher called " + LAUNCHER + ", not " + path);
    }
    return launchers;
  }

  private static List<ServerExecutable> launchers(Path directory) {
    try (Stream<Path> children = Files.list(directory)) {
      return Stream.concat(Stream.of(directory), children.sorted())
          .filter(candidate -> Files.isExecutable(candidate.resolve(LAUNCHER)))
          .map(
              found ->
                  new ServerExecutable(
                      String.valueOf(found.getFileName()), found.resolve(LAUNCHER)))
          .toList();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
