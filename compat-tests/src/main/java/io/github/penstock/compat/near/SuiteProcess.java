package io.github.penstock.compat.near;

import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.testkit.resp.RedisUrl;
import io.github.penstock.testkit.topology.ServerEndpoint;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * A separate process that uses the client of a suite, reports its units once, and then waits to be
 * killed. Its main class calls {@link #connect} and {@link #say}.
 */
public final class SuiteProcess implements AutoCloseable {
  private static final String SAYS = "has ";
  private final Process process;
  private final List<String> said;

  private SuiteProcess(Process process, List<String> said) {
    this.process = process;
    this.said = said;
  }

  /** Starts it, and returns its report. */
  public static SuiteProcess start(SuiteClient client, Class<?> main, RedisUrl url)
      throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                main.getName(),
                client.suite().getName(),
                Integer.toString(url.port()))
            .redirectErrorStream(true)
            .start();
    StringBuilder other = new StringBuilder();
    BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith(SAYS)) {
        return new SuiteProcess(process, List.of(line.substring(SAYS.length()).split(" ")));
      }
      other.append(line).append('\n');
    }
    process.destroyForcibly();
    throw new IllegalStateException("it has nothing, and said: " + other);
  }

  /** What it said. */
  public List<String> said() {
    return said;
  }

  /** Ends it at once (SIGKILL), and waits until it is gone. */
  public void kill() {
    process.destroyForcibly().onExit().join();
  }

  @Override
  public void close() {
    kill();
  }

  /** In the process: reports its units, and ends with its parent, if it is not killed before. */
  @SuppressWarnings("SystemOut")
  public static void say(String what) throws IOException {
    System.out.println(SAYS + what);
    System.out.flush();
    while (System.in.read() >= 0) {
      continue;
    }
  }

  /**
   * In the process: connects as the suite does, whose method is not public.
   *
   * @param arguments class of the suite, port of the server
   */
  public static RateLimiters connect(String[] arguments, RateLimiterOptions options)
      throws ReflectiveOperationException {
    String suite = arguments[0];
    ServerEndpoint endpoint =
        new ServerEndpoint.Single(RedisUrl.local(Integer.parseInt(arguments[1])));
    Constructor<?> constructor = Class.forName(suite).getDeclaredConstructor();
    constructor.setAccessible(true);
    Object made = constructor.newInstance();
    for (Class<?> type = made.getClass(); type != null; type = type.getSuperclass()) {
      for (Method method : type.getDeclaredMethods()) {
        if (method.getName().equals("connect") && method.getParameterCount() == 2) {
          method.setAccessible(true);
          return (RateLimiters) method.invoke(made, endpoint, options);
        }
      }
    }
    throw new IllegalStateException(suite + " must have a method that connects");
  }
}
