package io.github.penstock.test;

import io.github.penstock.testkit.server.TestServer;
import io.github.penstock.testkit.server.TestServers;
import java.net.URI;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Provides test parameters: fresh {@link TestRateLimiters}, which are closed after the test, or the
 * {@link URI} of a real server, started once for all tests.
 *
 * <pre>{@code
 * @ExtendWith(PenstockExtension.class)
 * class OrderTest {
 *   @Test
 *   void limited(TestRateLimiters limiters) {
 *     limiters.down();
 *   }
 *
 *   @Test
 *   void onRedis(URI redis) {
 *     try (RateLimiters limiters = JedisRateLimiters.connect(redis.toString(), options)) {
 *       limiters.limiter("orders", FixedWindow.of(5, Duration.ofHours(1))).tryAcquire("ann");
 *     }
 *   }
 * }
 * }</pre>
 *
 * <p>The server is the first there is of: {@code -Dpenstock.redis=redis://...}; a container, if
 * Testcontainers is on the class path and an engine answers; {@code redis-server} or {@code
 * valkey-server} on the PATH; a Redis 7.0 that comes as a library, for Linux and macOS. Subjects
 * are shared by all tests that use it.
 */
public final class PenstockExtension implements ParameterResolver {
  private static final Namespace NAMESPACE = Namespace.create(PenstockExtension.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
    Class<?> type = parameter.getParameter().getType();
    return type == TestRateLimiters.class || type == URI.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
    return parameter.getParameter().getType() == URI.class ? server() : limiters(test);
  }

  private static URI server() {
    TestServer server = TestServers.one();
    return URI.create(server.url().toString());
  }

  /* The store closes them when the test ends. */
  private static TestRateLimiters limiters(ExtensionContext test) {
    return test.getStore(NAMESPACE)
        .computeIfAbsent(
            TestRateLimiters.class, key -> TestRateLimiters.create(), TestRateLimiters.class);
  }
}
