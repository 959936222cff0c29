package io.github.penstock.lua.maven.source;

import io.github.penstock.lua.maven.rule.RuleViolation;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The includes and constants that scripts share.
 *
 * <p>They may serve the scripts of several directories. So an include or a constant is in use if
 * any Lua file of the tree around the directory of includes names it.
 */
public final class IncludeLibrary {
  private static final String CONSTANTS = "constants";

  private final Path directory;
  private final Path root;
  private final Set<RuleViolation> problems;
  private final ScriptConstants constants;
  private final KindConditions kinds;
  private final Map<String, IncludeFile> files = new HashMap<>();

  /**
   * Opens a directory of includes.
   *
   * @param directory where the includes are; there may be none
   * @param problems takes the rules that are broken
   */
  public IncludeLibrary(Path directory, Set<RuleViolation> problems) {
    this.directory = directory.toAbsolutePath().normalize();
    Path parent = this.directory.getParent();
    this.root = parent == null ? this.directory : parent;
    this.problems = problems;
    this.constants =
        Files.isRegularFile(path(CONSTANTS))
            ? ScriptConstants.read(source(CONSTANTS), problems)
            : ScriptConstants.none();
    this.kinds = new KindConditions(scripts(), constants);
  }

  /** The scripts beside the directory of includes, by name. */
  private Map<String, SourceFile> scripts() {
    Map<String, SourceFile> scripts = new TreeMap<>();
    File[] files = root.toFile().listFiles((in, name) -> name.endsWith(".lua"));
    for (File file : files == null ? new File[0] : files) {
      String label = root.getFileName() + "/" + file.getName();
      String name = file.getName().substring(0, file.getName().length() - ".lua".length());
      scripts.put(name, SourceFile.read(file.toPath(), label, new HashSet<>()));
    }
    return scripts;
  }

  /** The include of a name; empty if the file is missing. */
  Optional<IncludeFile> find(String name) {
    if (name.equals(CONSTANTS) || !Files.isRegularFile(path(name))) {
      return Optional.empty();
    }
    return Optional.of(
        files.computeIfAbsent(name, n -> IncludeFile.read(n, source(n), constants, problems)));
  }

  /** The text that replaces a placeholder; null if it is unknown. */
  @Nullable String value(String name) {
    String constant = constants.value(name);
    return constant == null ? kinds.value(name) : constant;
  }

  /** The file of an include, as messages name it. */
  String label(String name) {
    return root.getFileName() + "/" + relative(root, path(name));
  }

  /** Reports the constants that nothing uses, and the scripts that no condition covers. */
  public void checkConstants() throws IOException {
    Set<String> names = new HashSet<>();
    for (Path file : luaFiles(root)) {
      if (!file.equals(path(CONSTANTS))) {
        names.addAll(PlaceholderPattern.names(lines(file)));
      }
    }
    constants.checkUsed(names);
    kinds.checkUsed(names, problems);
  }

  /** The includes that nothing includes. */
  public SortedSet<String> unusedIncludes() throws IOException {
    SortedSet<String> unused = new TreeSet<>();
    if (Files.isDirectory(directory)) {
      for (Path file : luaFiles(directory)) {
        String name = relative(directory, file);
        unused.add(name.substring(0, name.length() - ".lua".length()));
      }
    }
    unused.remove(CONSTANTS);
    for (Path file : luaFiles(root)) {
      lines(file).forEach(line -> unused.remove(IncludeDirective.named(line)));
    }
    return unused;
  }

  private SourceFile source(String name) {
    return SourceFile.read(path(name), label(name), problems);
  }

  private Path path(String name) {
    return directory.resolve(name + ".lua");
  }

  private static String relative(Path directory, Path file) {
    return directory.relativize(file).toString().replace('\\', '/');
  }

  private static List<Path> luaFiles(Path directory) throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      return paths.filter(p -> p.toString().endsWith(".lua") && Files.isRegularFile(p)).toList();
    }
  }

  private static List<String> lines(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.ISO_8859_1).lines().toList();
  }
}
