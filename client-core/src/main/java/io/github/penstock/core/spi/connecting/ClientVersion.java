package io.github.penstock.core.spi.connecting;

import java.lang.reflect.Method;
import java.security.CodeSource;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Checks that the client on the class path has the classes and methods that an adapter needs. */
public final class ClientVersion {
  private ClientVersion() {}

  /**
   * Checks the client before anything of it is used that older versions lack.
   *
   * @param oldest the client's name and its oldest version that will do
   * @param setting the property to set if something else selected an older version
   * @param any a class that every version has
   * @param need the name of a class; or of a class and its method, with a {@code #} between them,
   *     and perhaps the simple names of its parameters in parentheses
   * @throws IllegalStateException if it is missing, or one of its own dependencies is; the message
   *     is one sentence with the remedy
   */
  public static void require(String oldest, String setting, Class<?> any, String need) {
    boolean there;
    try {
      there = isThere(need, any.getClassLoader());
    } catch (NoClassDefFoundError missing) {
      throw new IllegalStateException(
          "Penstock needs %s and its dependencies, but the class %s is missing: on the module path start with --add-modules ALL-MODULE-PATH,jdk.net"
              .formatted(oldest, String.valueOf(missing.getMessage()).replace('/', '.')),
          missing);
    }
    if (!there) {
      throw new IllegalStateException(
          "Penstock needs %s or newer for this, and %s is on the class path: set %s"
              .formatted(oldest, found(any), setting));
    }
  }

  /* The version, or the name of the jar, which usually ends with it. */
  private static String found(Class<?> any) {
    String version = any.getPackage().getImplementationVersion();
    CodeSource source = any.getProtectionDomain().getCodeSource();
    if (version != null || source == null || source.getLocation() == null) {
      return version == null ? "an older one" : version;
    }
    String[] path = source.getLocation().getPath().split("[/!]+");
    return path[path.length - 1];
  }

  private static boolean isThere(String need, @Nullable ClassLoader loader) {
    String[] parts = need.split("#", 2);
    try {
      Class<?> found = Class.forName(parts[0], false, loader);
      return parts.length == 1
          || Stream.of(found.getMethods()).anyMatch(method -> isNamed(method, parts[1]));
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  private static boolean isNamed(Method method, String name) {
    return name.equals(method.getName())
        || name.equals(
            Arrays.stream(method.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", ", method.getName() + "(", ")")));
  }
}
