package io.github.penstock.lua.maven.output;

import io.github.penstock.lua.maven.rule.RuleViolation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.stream.Stream;

/** A copy of the test project in a directory of its own. */
final class ProjectCopy {
  private final Path root;

  ProjectCopy(Path root) throws IOException {
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

  BundleSettings settings(boolean accept) {
    return settings(accept, List.of());
  }

  BundleSettings settings(boolean accept, List<ScriptGroup> groups) {
    return new BundleSettings(
        root.resolve("lua"),
        root.resolve("lua/include"),
        root.resolve("java"),
        root.resolve("resources"),
        "com.example.jobs",
        "1.2.3",
        4,
        Optional.of("jobs"),
        "ERR {script}",
        Optional.empty(),
        "6.0",
        groups,
        Optional.of(root.resolve("lua/manifest.json")),
        accept,
        "the accepting command");
  }

  SortedSet<RuleViolation> build(boolean accept) throws IOException {
    return new BundleBuilder(settings(accept)).run();
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
