package io.github.penstock.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Holds every module to docs/architecture.md; all of them are on this module's class path. */
@AnalyzeClasses(packages = "io.github.penstock", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String HOUSE = "io.github.penstock.";
  private static final String[] CLIENTS = {
    "redis.clients..", "io.lettuce..", "org.redisson..", "io.netty.."
  };

  /** Terms that Lua's grammar or the API's users know by one word. */
  private static final Set<String> ONE_WORD =
      Set.of(
          "Decision",
          "Limit",
          "Limits",
          "Outcome",
          "Usage",
          "Block",
          "Chunk",
          "Comment",
          "Expression",
          "Lexer",
          "Parser",
          "Statement",
          "Token");

  private static final int MOST_CLASSES = 20;
  private static final Pattern TWO_WORDS = Pattern.compile("[A-Z][a-z0-9]+[A-Z].*");

  /** The modules that each module may use, by their first package. */
  private static final Map<String, List<String>> USES =
      Map.ofEntries(
          Map.entry("lua", List.of()),
          Map.entry("scripts", List.of()),
          Map.entry("core", List.of("scripts")),
          Map.entry("jedis", List.of("core", "scripts")),
          Map.entry("lettuce", List.of("core", "scripts")),
          Map.entry("redisson", List.of("core", "scripts")),
          Map.entry("testkit", List.of("scripts")),
          Map.entry("compat", List.of("core", "scripts", "testkit")),
          Map.entry("report", List.of("scripts")),
          Map.entry("simulator", List.of("core", "scripts", "testkit", "report")),
          Map.entry(
              "benchmarks",
              List.of("core", "scripts", "testkit", "report", "jedis", "lettuce", "redisson")),
          Map.entry(
              "cli",
              List.of(
                  "core", "scripts", "testkit", "report", "compat", "simulator", "benchmarks")));

  @ArchTest
  static final ArchRule NO_CYCLES_BETWEEN_PACKAGES =
      slices().matching(HOUSE + "(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule CORE_POINTS_ONE_WAY =
      noClasses()
          .that()
          .resideInAPackage(HOUSE + "core")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(HOUSE + "core.spi..", HOUSE + "core.engine..");

  @ArchTest
  static final ArchRule LIMITS_KNOW_NOTHING_ELSE =
      classes()
          .that()
          .resideInAPackage(HOUSE + "core.limit")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("java..", "org.jspecify..", HOUSE + "core.limit");

  @ArchTest
  static final ArchRule PORTS_KNOW_NO_ENGINE =
      noClasses()
          .that()
          .resideInAPackage(HOUSE + "core.spi")
          .should()
          .dependOnClassesThat()
          .resideInAPackage(HOUSE + "core.engine");

  @ArchTest
  static final ArchRule CORE_KNOWS_NO_LIBRARY =
      classes()
          .that()
          .resideInAPackage(HOUSE + "core..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("java..", "org.jspecify..", HOUSE + "core..", HOUSE + "scripts");

  @ArchTest
  static final ArchRule ONLY_KEYS_HASH =
      noClasses()
          .that()
          .resideInAPackage(HOUSE + "core..")
          .and()
          .haveSimpleNameNotEndingWith("KeyFormat")
          .should()
          .dependOnClassesThat()
          .belongToAnyOf(MessageDigest.class);

  @ArchTest
  static final ArchRule ADAPTERS_ENCODE_HASH_AND_LOG_NOTHING =
      noClasses()
          .that()
          .resideInAnyPackage(HOUSE + "jedis", HOUSE + "lettuce", HOUSE + "redisson")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "java.security..", "org.slf4j..", "com.google..", HOUSE + "scripts..");

  @ArchTest
  static final ArchRule SUITE_RUNS_BESIDE_ANY_CLIENT =
      noClasses()
          .that()
          .resideInAnyPackage(HOUSE + "testkit..", HOUSE + "compat..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(CLIENTS);

  @ArchTest
  static final ArchRule OPTIONS_LIVE_IN_THE_COMMAND_LINE =
      noClasses()
          .that()
          .resideOutsideOfPackage(HOUSE + "cli..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("picocli..");

  @ArchTest
  static void modulesUseOnlyWhatTheyMay(JavaClasses house) {
    assertThat(house.stream().map(ArchitectureTest::module).distinct())
        .containsExactlyInAnyOrderElementsOf(USES.keySet());
    assertThat(
            house.stream()
                .flatMap(
                    user ->
                        user.getDirectDependenciesFromSelf().stream()
                            .map(dependency -> dependency.getTargetClass().getBaseComponentType())
                            .filter(used -> used.getPackageName().startsWith(HOUSE))
                            .filter(used -> !mayUse(module(user), module(used)))
                            .map(used -> user.getName() + " uses " + used.getName()))
                .distinct())
        .isEmpty();
  }

  @ArchTest
  static void packagesStaySmall(JavaClasses house) {
    Map<String, Long> classes =
        written(house).collect(groupingBy(JavaClass::getPackageName, counting()));
    assertThat(classes).allSatisfy((name, count) -> assertThat(count).isLessThan(MOST_CLASSES + 1));
  }

  @Test
  @DisplayName("names of classes have two words and stand once, those of tests, too")
  void namesHaveTwoWordsAndStandOnce() throws IOException {
    Map<String, List<Path>> byName = sources().stream().collect(groupingBy(ArchitectureTest::name));
    assertThat(byName).containsKeys("ArchitectureTest", "RateLimiter", "LimiterConfiguration");
    assertThat(byName.keySet())
        .filteredOn(name -> !ONE_WORD.contains(name) && !TWO_WORDS.matcher(name).matches())
        .isEmpty();
    assertThat(byName.values()).filteredOn(same -> same.size() > 1).isEmpty();
  }

  private static List<Path> sources() throws IOException {
    List<Path> sources = new ArrayList<>();
    for (Path rooms : List.of(Path.of(".."), Path.of("..", "examples"))) {
      try (DirectoryStream<Path> modules = Files.newDirectoryStream(rooms)) {
        for (Path module : modules) {
          if (Files.isDirectory(module.resolve("src"))) {
            try (Stream<Path> files = Files.walk(module.resolve("src"))) {
              files.filter(ArchitectureTest::isClass).forEach(sources::add);
            }
          }
        }
      }
    }
    return sources;
  }

  private static boolean isClass(Path file) {
    return file.toString().endsWith(".java") && !file.endsWith("package-info.java");
  }

  private static String name(Path source) {
    return source.getFileName().toString().replace(".java", "");
  }

  /* Top-level classes that somebody wrote: JMH generates others. */
  private static Stream<JavaClass> written(JavaClasses house) {
    return house.stream()
        .filter(JavaClass::isTopLevelClass)
        .filter(found -> !found.getSimpleName().equals("package-info"))
        .filter(found -> !found.getPackageName().contains(".jmh_generated"));
  }

  private static boolean mayUse(String user, String used) {
    return user.equals(used) || USES.get(user).contains(used);
  }

  private static String module(JavaClass found) {
    return found.getPackageName().substring(HOUSE.length()).replaceAll("\\..*", "");
  }
}
