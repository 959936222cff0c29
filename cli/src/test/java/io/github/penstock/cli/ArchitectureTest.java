package io.github.penstock.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

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

  @ArchTest
  static void namesHaveTwoWordsAndStandOnce(JavaClasses house) {
    assertThat(written(house).map(JavaClass::getSimpleName))
        .allMatch(name -> ONE_WORD.contains(name) || TWO_WORDS.matcher(name).matches());
    Map<String, List<JavaClass>> byName =
        written(house).collect(groupingBy(JavaClass::getSimpleName, toList()));
    assertThat(byName).allSatisfy((name, same) -> assertThat(same).hasSize(1));
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
