package io.github.penstock.compat.version;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The classes of this test with another version of the client in place of the newest, which nothing
 * else is shared with. Close it after use.
 */
public final class OlderClient implements AutoCloseable {
  private final URLClassLoader classes;

  private OlderClient(URLClassLoader classes) {
    this.classes = classes;
  }

  /**
   * The test's class path with {@code jar} for the jar that begins with {@code name}.
   *
   * @param name such as {@code jedis-}
   * @param jar the other version's
   */
  public static OlderClient of(String name, Path jar) {
    if (!jar.toFile().isFile()) {
      throw new IllegalStateException("there must be a file: " + jar);
    }
    URL[] path =
        Stream.concat(
                Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                    .map(Path::of)
                    .filter(entry -> !String.valueOf(entry.getFileName()).startsWith(name)),
                Stream.of(jar))
            .map(OlderClient::url)
            .toArray(URL[]::new);
    return new OlderClient(new URLClassLoader(path, ClassLoader.getPlatformClassLoader()));
  }

  /**
   * Calls a static method that takes one string.
   *
   * @throws RuntimeException its exception
   */
  public @Nullable Object call(String type, String method, String argument) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(classes);
    try {
      return classes.loadClass(type).getMethod(method, String.class).invoke(null, argument);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException thrown) {
        throw thrown;
      }
      throw new IllegalStateException(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private static URL url(Path entry) {
    try {
      return entry.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException(e);
    }
  }

  @Override
  public void close() {
    try {
      classes.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
