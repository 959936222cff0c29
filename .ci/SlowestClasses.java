import static java.util.Comparator.comparingDouble;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;

/**
 * Prints the five test classes that took longest, from the reports of Surefire and Failsafe.
 *
 * <p>Arguments: when the build began, such as {@code 2026-11-22T10:00:00Z}, as older reports are
 * left out; then the projects whose modules are read.
 */
final class SlowestClasses {
  private record TestClass(String name, double seconds) {}

  private SlowestClasses() {}

  public static void main(String[] arguments) throws Exception {
    Instant begun = Instant.parse(arguments[0]);
    List<String> projects = List.of(arguments).subList(1, arguments.length);
    List<TestClass> classes = new ArrayList<>();
    for (String directory : projects) {
      Path project = Path.of(directory).toAbsolutePath().normalize();
      String where = projects.size() == 1 ? "" : " in " + project.getFileName();
      for (Path report : reports(project, begun)) {
        classes.add(testClass(report, where));
      }
    }
    if (!classes.isEmpty()) {
      System.out.printf("The slowest of %d test classes:%n", classes.size());
    }
    classes.stream()
        .sorted(comparingDouble(TestClass::seconds).reversed())
        .limit(5)
        .forEach(slow -> System.out.printf("%8.1f s  %s%n", slow.seconds(), slow.name()));
  }

  private static List<Path> reports(Path project, Instant begun) throws IOException {
    PathMatcher named =
        project.getFileSystem().getPathMatcher("glob:**/target/*-reports/TEST-*.xml");
    try (Stream<Path> found =
        Files.find(
            project,
            5,
            (file, attributes) ->
                named.matches(file) && !attributes.lastModifiedTime().toInstant().isBefore(begun))) {
      return found.toList();
    }
  }

  private static TestClass testClass(Path report, String where) throws Exception {
    Element suite =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(report.toFile())
            .getDocumentElement();
    return new TestClass(
        suite.getAttribute("name") + where, Double.parseDouble(suite.getAttribute("time")));
  }
}
