package io.github.penstock.core;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.github.penstock.core", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule CORE_KNOWS_NO_CLIENT =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..",
              "org.jspecify..",
              "io.github.penstock.core..",
              "io.github.penstock.scripts");

  @ArchTest
  static final ArchRule ONLY_KEYS_HASH =
      noClasses()
          .that()
          .haveSimpleNameNotEndingWith("KeyFormat")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("java.security..");
}
