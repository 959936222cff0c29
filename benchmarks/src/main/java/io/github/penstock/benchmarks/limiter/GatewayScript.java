package io.github.penstock.benchmarks.limiter;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.commons.io.IOUtils;
import org.apache.commons.io.function.Uncheck;

/**
 * The script of Spring Cloud Gateway, from its own jar, called like {@code RedisRateLimiter} does:
 * two keys; rate, capacity, an empty time (for the server's time) and the requested units. The
 * Gateway itself reaches it through Spring Data Redis, whose cost is not in here.
 */
public final class GatewayScript {
  private static final String PATH = "/META-INF/scripts/request_rate_limiter.lua";
  private static final String DAY = "86400";

  private GatewayScript() {}

  public static String source() {
    return Uncheck.get(() -> IOUtils.resourceToString(PATH, StandardCharsets.UTF_8));
  }

  /** The arguments of a call that is allowed. */
  public static List<String> generous() {
    return List.of("1", Long.toString(PenstockAlgorithm.PLENTY), "", "1");
  }

  /**
   * The arguments of a call of which one a day is allowed, as the documentation says it: by cost.
   */
  public static List<String> exhausted() {
    return List.of("1", DAY, "", DAY);
  }

  static LimiterUnderTest limiter(
      ClientSession session, BenchmarkTarget target, SubjectWorkload workload) {
    byte[][] generous = RawScript.encoded(generous());
    byte[][] exhausted = RawScript.encoded(exhausted());
    RawScript script =
        new RawScript(source(), session.raw(), workload, i -> keys(target, workload, i));
    return subject ->
        script.call(subject, workload.denied(subject) ? exhausted : generous)
                instanceof List<?> reply
            && reply.get(0).equals(1L);
  }

  private static List<String> keys(BenchmarkTarget target, SubjectWorkload workload, int subject) {
    String name = target.key(workload.denied(subject) ? "gateway-shut" : "gateway-open", subject);
    return List.of(name + ".tokens", name + ".timestamp");
  }
}
