package io.github.penstock.spring.packaged;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.springframework.boot.SpringApplicationAotProcessor;
import org.springframework.boot.loader.tools.Library;
import org.springframework.boot.loader.tools.LibraryScope;
import org.springframework.boot.loader.tools.Repackager;

/**
 * Packages {@link PackagedApplication} as Boot's build plugins do, with the class path of this test
 * but for what the application does not have.
 */
final class ApplicationJar {
  private static final Pattern FOREIGN =
      Pattern.compile(".*(security|gateway|webflux|junit|assertj|loader-tools|validation).*");
  private static final String PACKAGE = "io/github/penstock/spring/packaged";
  private final Path directory;

  ApplicationJar(Path directory) {
    this.directory = directory;
  }

  /**
   * Makes the jar.
   *
   * @param ahead whether its beans are processed ahead of time
   */
  Path make(boolean ahead) throws IOException, InterruptedException {
    Path classes = directory.resolve("classes");
    if (ahead) {
      processAhead(classes);
    }
    copyApplication(classes);
    Path plain = jar(classes, "plain.jar");
    Path packaged = directory.resolve("application.jar");
    Repackager repackager = new Repackager(plain.toFile());
    repackager.setMainClass(PackagedApplication.class.getName());
    repackager.repackage(
        packaged.toFile(),
        each -> {
          for (Path library : libraries()) {
            each.library(new Library(library.toFile(), LibraryScope.COMPILE));
          }
        });
    return packaged;
  }

  private static void copyApplication(Path to) throws IOException {
    for (String name : List.of(".class", "$GreetingController.class")) {
      try (var from = ApplicationJar.class.getResourceAsStream("PackagedApplication" + name)) {
        Path file = to.resolve(PACKAGE).resolve("PackagedApplication" + name);
        Files.createDirectories(file.getParent());
        Files.write(file, from.readAllBytes());
      }
    }
  }

  private List<Path> classPath() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(path -> !path.endsWith("test-classes"))
        .map(Path::of)
        .filter(path -> !FOREIGN.matcher(path.getFileName().toString()).matches())
        .toList();
  }

  /* Modules of this build are directories, unless they have been packaged. */
  private List<Path> libraries() throws IOException {
    List<Path> jars = new ArrayList<>();
    for (Path path : classPath()) {
      String module = path.getParent().getParent().getFileName().toString();
      jars.add(Files.isDirectory(path) ? jar(path, module + ".jar") : path);
    }
    return jars;
  }

  private Path jar(Path classes, String name) throws IOException {
    Path jar = directory.resolve(name);
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(file);
        Stream<Path> files = Files.walk(classes)) {
      files.filter(Files::isRegularFile).forEach(each -> add(entries, classes, each));
    }
    return jar;
  }

  private static void add(JarOutputStream entries, Path classes, Path file) {
    try {
      String name = classes.relativize(file).toString().replace(File.separatorChar, '/');
      entries.putNextEntry(new JarEntry(name));
      Files.copy(file, entries);
      entries.closeEntry();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private void processAhead(Path classes) throws IOException, InterruptedException {
    Path sources = directory.resolve("sources");
    Path given = directory.resolve("given");
    copyApplication(given);
    List<String> path = new ArrayList<>(List.of(given.toString()));
    classPath().forEach(each -> path.add(each.toString()));
    String classPath = String.join(File.pathSeparator, path);
    List<String> command = new ArrayList<>();
    command.add(java());
    command.addAll(List.of("-cp", classPath, SpringApplicationAotProcessor.class.getName()));
    command.add(PackagedApplication.class.getName());
    command.addAll(List.of(sources.toString(), classes.toString(), classes.toString()));
    command.addAll(List.of("io.github.penstock", "packaged"));
    command.add("--management.endpoint.penstock.access=unrestricted");
    command.add("--management.endpoints.web.exposure.include=penstock");
    Path log = directory.resolve("ahead.log");
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.redirectErrorStream(true).redirectOutput(log.toFile());
    if (builder.start().waitFor() != 0) {
      throw new IllegalStateException("not processed ahead of time: " + Files.readString(log));
    }
    List<String> options = new ArrayList<>(List.of("-proc:none", "-cp", classPath));
    options.addAll(List.of("-d", classes.toString()));
    try (Stream<Path> files = Files.walk(sources)) {
      files.filter(Files::isRegularFile).forEach(each -> options.add(each.toString()));
    }
    int result =
        ToolProvider.getSystemJavaCompiler().run(null, null, null, options.toArray(String[]::new));
    if (result != 0) {
      throw new IllegalStateException("what was generated does not compile");
    }
  }

  static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }
}
