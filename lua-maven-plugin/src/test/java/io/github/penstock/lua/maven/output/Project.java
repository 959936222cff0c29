package io.github.penstock.lua.maven.output;

import io.github.penstock.lua.maven.script.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SortedSet;
import java.util.stream.Stream;

/** A copy of the test project in a directory of its own. */
final class Project {
  private final Path root;

  Project(Path root) throws IOException {
    this.root = root;
    Path source = Path.of("src/test/resources/project");
    try (Stream<Path> paths = Files.walk(source)) {
      for (Path path : paths.filter(Files::isRegularFile).toList()) {
        Path copy = root.resolve(source.relativize(path).toString());
        Files.createDirectories(copy.getParent());
        Files.copy(path, copy);
      }
    }
  }

  Settings settings(boolean accept) {
    return new Settings(
        root.resolve("lua"),
        root.resolve("java"),
        root.resolve("resources"),
        "com.example.jobs",
        "1.2.3",
        4,
        Optional.of("jobs"),
        "ERR {script}",
        Optional.empty(),
        "6.0",
        Optional.of(root.resolve("lua/manifest.json")),
        accept,
        "the accepting command");
  }

  SortedSet<Problem> build(boolean accept) throws IOException {
    return new Bundler(settings(accept)).run();
  }

  Path file(String name) {
    return root.resolve(name);
  }

  Path resource(String name) {
    return root.resolve("resources/com/example/jobs").resolve(name);
  }

  String text(String resource) throws IOException {
    return Files.readString(resource(resource));
  }

  void edit(String name, String from, String to) throws IOException {
    String text = Files.readString(file(name));
    if (!text.contains(from)) {
      throw new IllegalArgumentException(name + " must contain " + from);
    }
    Files.writeString(file(name), text.replace(from, to));
  }
}
