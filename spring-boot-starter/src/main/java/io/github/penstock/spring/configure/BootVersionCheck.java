package io.github.penstock.spring.configure;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootVersion;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Prevents the start on an outdated Spring Boot, before a class of the starter is loaded that the
 * older version lacks. Uses only classes that Boot 3 has.
 */
final class BootVersionCheck
    implements ApplicationContextInitializer<ConfigurableApplicationContext> {
  private static final int OLDEST = 4;

  @Override
  public void initialize(ConfigurableApplicationContext context) {
    check(SpringBootVersion.getVersion());
  }

  /** Checks a version; an unreadable one counts as newer. */
  static void check(@Nullable String version) {
    String major = String.valueOf(version).split("\\.", 2)[0];
    if (major.matches("[0-9]{1,3}") && Integer.parseInt(major) < OLDEST) {
      throw new IllegalStateException(
          "Penstock needs Spring Boot 4.0 or newer for its starter, and "
              + version
              + " is on the class path: set the version of spring-boot-starter-parent, or use the"
              + " limiters without the starter");
    }
  }
}
