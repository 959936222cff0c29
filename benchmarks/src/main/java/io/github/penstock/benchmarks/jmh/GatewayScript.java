package io.github.penstock.benchmarks.jmh;

import static io.github.penstock.benchmarks.jmh.Floor.bytes;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The script of Spring Cloud Gateway, out of its own jar, called as {@code RedisRateLimiter} calls
 * it: two keys; rate, capacity, an empty time (so that the server's is taken) and what is asked
 * for. The Gateway itself reaches it through Spring Data Redis, whose cost is not in here.
 */
public final class GatewayScript {
  private static final String PATH = "/META-INF/scripts/request_rate_limiter.lua";
  private static final String DAY = "86400";

  private GatewayScript() {}

  /** The script's text. */
  public static String source() {
    try (InputStream in = GatewayScript.class.getResourceAsStream(PATH)) {
      if (in == null) {
        throw new IllegalStateException("there is no " + PATH + " on the class path");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** The arguments of a call that is allowed. */
  public static List<String> generous() {
    return List.of("1", Long.toString(Algorithm.PLENTY), "", "1");
  }

  /**
   * The arguments of a call of which one a day is allowed, as the documentation says it: by cost.
   */
  public static List<String> exhausted() {
    return List.of("1", DAY, "", DAY);
  }

  static Decider decider(Session session, Target target, Workload workload) {
    String source = source();
    session.load(source);
    String sha1 = Floor.sha1(source);
    byte[][] generous = encoded(generous());
    byte[][] exhausted = encoded(exhausted());
    byte[][][] keys = new byte[workload.subjects()][][];
    for (int i = 0; i < keys.length; i++) {
      String name = target.key(workload.denied(i) ? "gateway-shut" : "gateway-open", i);
      keys[i] = new byte[][] {bytes(name + ".tokens"), bytes(name + ".timestamp")};
    }
    return subject -> {
      byte[][] arguments = workload.denied(subject) ? exhausted : generous;
      return session.evalsha(sha1, keys[subject], arguments) instanceof List<?> reply
          && reply.get(0).equals(1L);
    };
  }

  private static byte[][] encoded(List<String> arguments) {
    return arguments.stream().map(Floor::bytes).toArray(byte[][]::new);
  }
}
