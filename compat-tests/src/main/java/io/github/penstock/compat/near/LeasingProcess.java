package io.github.penstock.compat.near;

import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.testkit.resp.RedisUrl;
import io.github.penstock.testkit.topology.ServerEndpoint;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A process of its own that leases, by the client of a suite: it takes units until it holds some,
 * says so, and does nothing more.
 */
final class LeasingProcess implements AutoCloseable {
  private static final String SAYS = "leasing ";
  private final Process process;
  private final long allowed;
  private final long held;

  private LeasingProcess(Process process, long allowed, long held) {
    this.process = process;
    this.allowed = allowed;
    this.held = held;
  }

  /** Starts it, and returns when it holds units. */
  static LeasingProcess start(SuiteClient client, RedisUrl url) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                LeasingProcess.class.getName(),
                client.suite().getName(),
                Integer.toString(url.port()))
            .redirectErrorStream(true)
            .start();
    StringBuilder said = new StringBuilder();
    BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith(SAYS)) {
        String[] counts = line.substring(SAYS.length()).split(" ");
        return new LeasingProcess(process, Long.parseLong(counts[0]), Long.parseLong(counts[1]));
      }
      said.append(line).append('\n');
    }
    process.destroyForcibly();
    throw new IllegalStateException("it holds no units, and said: " + said);
  }

  /** Returns how many of its calls were allowed. */
  long allowed() {
    return allowed;
  }

  /** Returns how many units it holds. */
  long held() {
    return held;
  }

  /** Ends it at once (SIGKILL), and waits until it is gone. */
  void kill() {
    process.destroyForcibly().onExit().join();
  }

  @Override
  public void close() {
    kill();
  }

  /**
   * The process.
   *
   * @param arguments class of the suite, port of the server
   */
  @SuppressWarnings("SystemOut")
  public static void main(String[] arguments) throws Exception {
    RedisUrl url = RedisUrl.local(Integer.parseInt(arguments[1]));
    try (RateLimiters limiters = connect(arguments[0], new ServerEndpoint.Single(url))) {
      RateLimiter limiter = limiters.limiter(NearRules.POLICY, LeaseRules.LIMIT, LeaseRules.TERMS);
      long allowed = 0;
      while (LeaseRules.held(limiters.nearStatistics()) < LeaseRules.TERMS.most() / 2) {
        allowed += limiter.tryAcquire(NearRules.SUBJECT).allowed() ? 1 : 0;
      }
      long held = LeaseRules.held(limiters.nearStatistics());
      System.out.println(SAYS + allowed + " " + held);
      System.out.flush();
      /* Ends with whoever started it, if it is not killed before. */
      while (System.in.read() >= 0) {
        continue;
      }
    }
  }

  /* As the suite does; its method is not public. */
  private static RateLimiters connect(String suite, ServerEndpoint endpoint) throws Exception {
    Constructor<?> constructor = Class.forName(suite).getDeclaredConstructor();
    constructor.setAccessible(true);
    Object made = constructor.newInstance();
    for (Class<?> type = made.getClass(); type != null; type = type.getSuperclass()) {
      for (Method method : type.getDeclaredMethods()) {
        if (method.getName().equals("connect") && method.getParameterCount() == 2) {
          method.setAccessible(true);
          return (RateLimiters) method.invoke(made, endpoint, NearRules.PATIENT);
        }
      }
    }
    throw new IllegalStateException(suite + " must have a method that connects");
  }
}
