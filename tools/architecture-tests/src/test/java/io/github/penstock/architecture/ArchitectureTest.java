package io.github.penstock.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noCodeUnits;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import io.github.penstock.core.RateLimiter;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Exports;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Holds every module to docs/architecture.md; all of them are on this module's class path. */
@AnalyzeClasses(packages = "io.github.penstock", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
  private static final Path ROOT = Path.of("..", "..");
  private static final String HOUSE = "io.github.penstock.";
  private static final String[] CLIENTS = {
    "redis.clients..", "io.lettuce..", "org.redisson..", "io.netty..", "glide.."
  };

  /** Terms that Lua's grammar or the API's users know by one word. */
  private static final Set<String> ONE_WORD =
      Set.of(
          "Decision",
          "Limit",
          "Limits",
          "Outcome",
          "Reservation",
          "Reservations",
          "Usage",
          "Block",
          "Chunk",
          "Comment",
          "Expression",
          "Lexer",
          "Parser",
          "Statement",
          "Token");

  private static final String CORE = HOUSE + "core";
  private static final String INTERNAL = CORE + ".internal.";

  /** The modules that may use what core has in internal packages, and are published. */
  private static final Set<String> PUBLISHED = Set.of("local", "compat", "test", "testkit");

  private static final Pattern TWO_WORDS = Pattern.compile("[A-Z][a-z0-9]+[A-Z].*");

  /** A module, its first package, and the first packages of the modules that it uses. */
  private static final Pattern MODULE =
      Pattern.compile("\\| `[a-z/-]+` \\| `(?<module>[a-z]+)` \\| (?<uses>(`[a-z]+`,? )*)\\|");

  @ArchTest
  static final ArchRule NO_CYCLES_BETWEEN_PACKAGES =
      slices().matching(HOUSE + "(**)").should().beFreeOfCycles();

  /** What an application uses shows nothing of what is behind it. */
  @ArchTest
  static final ArchRule APPLICATIONS_SEE_THE_API =
      noClasses()
          .that()
          .resideInAnyPackage(
              HOUSE + "core", HOUSE + "core.limit", HOUSE + "core.reserve", HOUSE + "core.http")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(HOUSE + "core.spi..", HOUSE + "core.internal..");

  /** An adapter of somebody else needs no more than these do. */
  @ArchTest
  static final ArchRule ADAPTERS_USE_THE_SPI =
      noClasses()
          .that()
          .resideInAnyPackage(
              HOUSE + "jedis..",
              HOUSE + "lettuce..",
              HOUSE + "redisson..",
              HOUSE + "glide..",
              HOUSE + "compat.plain..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage(HOUSE + "core.internal..");

  /** What {@code internal} packages have is in no signature of the others. */
  @ArchTest
  static final ArchRule SIGNATURES_SHOW_NOTHING_INTERNAL =
      noCodeUnits()
          .that()
          .areDeclaredInClassesThat()
          .resideOutsideOfPackage("..internal..")
          .and()
          .areDeclaredInClassesThat()
          .resideInAnyPackage(HOUSE + "core..", HOUSE + "local..", HOUSE + "test..")
          .and()
          .areDeclaredInClassesThat()
          .arePublic()
          .and(
              describe(
                  "are public or protected",
                  unit ->
                      unit.getModifiers().contains(JavaModifier.PUBLIC)
                          || unit.getModifiers().contains(JavaModifier.PROTECTED)))
          .should(
              ArchCondition.from(
                  describe(
                      "show an internal type",
                      (JavaCodeUnit unit) ->
                          Stream.concat(
                                  Stream.of(unit.getRawReturnType()),
                                  unit.getRawParameterTypes().stream())
                              .anyMatch(type -> type.getPackageName().contains(".internal")))));

  @ArchTest
  static final ArchRule LIMITS_KNOW_ONLY_THEIR_SCRIPTS =
      classes()
          .that()
          .resideInAPackage(HOUSE + "core.limit")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("java..", "org.jspecify..", HOUSE + "core.limit", HOUSE + "scripts");

  @ArchTest
  static final ArchRule PORTS_KNOW_NO_ENGINE =
      noClasses()
          .that()
          .resideInAnyPackage(HOUSE + "core.spi", HOUSE + "core.spi.connecting")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              HOUSE + "core.internal.engine",
              HOUSE + "core.internal.plan",
              HOUSE + "core.internal.protocol");

  @ArchTest
  static final ArchRule CORE_KNOWS_NO_LIBRARY =
      classes()
          .that()
          .resideInAPackage(HOUSE + "core..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..", "javax.net.ssl..", "org.jspecify..", HOUSE + "core..", HOUSE + "scripts");

  /** What reads the machine's time, or waits by it. */
  private static final Set<String> MACHINE_TIME =
      Set.of("nanoTime", "currentTimeMillis", "sleep", "parkNanos", "parkUntil", "now");

  @ArchTest
  static final ArchRule CORE_HAS_ONE_CLOCK =
      noClasses()
          .that()
          .resideInAPackage(HOUSE + "core..")
          .and()
          .resideOutsideOfPackage(HOUSE + "core.spi.time")
          .should()
          .accessTargetWhere(
              describe(
                  "read the machine's time",
                  access ->
                      access.getTargetOwner().getPackageName().startsWith("java.")
                          && MACHINE_TIME.contains(access.getTarget().getName())));

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
          .resideInAnyPackage(
              HOUSE + "jedis", HOUSE + "lettuce", HOUSE + "redisson", HOUSE + "glide")
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
  static void modulesUseOnlyWhatTheyMay(JavaClasses house) throws IOException {
    Map<String, Set<String>> uses = uses();
    assertThat(house.stream().map(ArchitectureTest::module).distinct())
        .containsExactlyInAnyOrderElementsOf(uses.keySet());
    assertThat(
            house.stream()
                .flatMap(
                    user ->
                        user.getDirectDependenciesFromSelf().stream()
                            .map(dependency -> dependency.getTargetClass().getBaseComponentType())
                            .filter(used -> used.getPackageName().startsWith(HOUSE))
                            .filter(used -> !module(used).equals(module(user)))
                            .filter(used -> !uses.get(module(user)).contains(module(used)))
                            .map(used -> user.getName() + " uses " + used.getName()))
                .distinct())
        .isEmpty();
  }

  @ArchTest
  static void descriptorExportsTheBorder(JavaClasses house) {
    Path jar =
        Path.of(
            URI.create(
                RateLimiter.class.getProtectionDomain().getCodeSource().getLocation().toString()));
    if (Files.isDirectory(jar)) {
      // It gets its descriptor when it is packaged.
      return;
    }
    ModuleDescriptor core =
        ModuleFinder.of(jar).find(CORE).map(ModuleReference::descriptor).orElseThrow();
    Map<String, Set<String>> exported =
        core.exports().stream().collect(toMap(Exports::source, Exports::targets));
    Map<String, Set<String>> used = new HashMap<>();
    for (JavaClass one : house) {
      if (one.getPackageName().startsWith(CORE)) {
        used.computeIfAbsent(one.getPackageName(), name -> new HashSet<>());
      }
      for (Dependency dependency : one.getDirectDependenciesFromSelf()) {
        String name = dependency.getTargetClass().getBaseComponentType().getPackageName();
        if (name.startsWith(INTERNAL) && PUBLISHED.contains(module(one))) {
          used.computeIfAbsent(name, any -> new HashSet<>()).add(HOUSE + module(one));
        }
      }
    }
    used.keySet().removeIf(name -> name.startsWith(INTERNAL) && used.get(name).isEmpty());
    assertThat(exported).isEqualTo(used);
  }

  @Test
  @DisplayName("class names have two words and are used once, in tests too")
  void namesHaveTwoWordsAndStandOnce() throws IOException {
    Map<String, List<Path>> byName = sources().stream().collect(groupingBy(ArchitectureTest::name));
    assertThat(byName).containsKeys("ArchitectureTest", "RateLimiter", "GreetingController");
    assertThat(byName.keySet())
        .filteredOn(name -> !ONE_WORD.contains(name) && !TWO_WORDS.matcher(name).matches())
        .isEmpty();
    assertThat(byName.values()).filteredOn(same -> same.size() > 1).isEmpty();
  }

  private static List<Path> sources() throws IOException {
    List<Path> sources = new ArrayList<>();
    for (Path rooms :
        List.of(
            ROOT, ROOT.resolve("compat-tests"), ROOT.resolve("tools"), ROOT.resolve("examples"))) {
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
    String name = file.getFileName().toString();
    return name.endsWith(".java") && !name.contains("-info");
  }

  private static String name(Path source) {
    return source.getFileName().toString().replace(".java", "");
  }

  private static Map<String, Set<String>> uses() throws IOException {
    try (Stream<String> page = Files.lines(ROOT.resolve("docs/architecture.md"))) {
      return page.map(MODULE::matcher)
          .filter(Matcher::matches)
          .collect(
              toMap(
                  row -> row.group("module"),
                  row -> Set.of(row.group("uses").replaceAll("[` ]", "").split(","))));
    }
  }

  private static String module(JavaClass found) {
    return found.getPackageName().substring(HOUSE.length()).replaceAll("\\..*", "");
  }
}
