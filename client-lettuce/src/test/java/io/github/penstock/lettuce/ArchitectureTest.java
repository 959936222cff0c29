package io.github.penstock.lettuce;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.github.penstock.lettuce", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule ENCODES_HASHES_AND_LOGS_NOTHING =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "java.security..",
              "org.slf4j..",
              "com.google..",
              "io.github.penstock.core.internal..");

  @ArchTest
  static final ArchRule KNOWS_NO_SCRIPT =
      noClasses().should().dependOnClassesThat().resideInAPackage("io.github.penstock.scripts..");
}
