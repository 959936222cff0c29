package io.github.penstock.spring.client;

import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.spring.settings.PenstockProperties.Client;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Chooses one of the clients that the application has. */
public final class SourceSelection {
  private static final String ADD =
      "Add org.springframework.boot:spring-boot-starter-data-redis, which brings Lettuce, or make a"
          + " RedissonClient or a client of Jedis 8 a bean. For development penstock.client=local"
          + " keeps limits in memory.";

  private SourceSelection() {}

  /**
   * How limiters are made on the client.
   *
   * @param wanted the client that the properties name, if they do
   * @throws MissingClientException if there is none, or if there are several and none is named
   */
  public static Function<RateLimiterOptions, RateLimiters> of(
      @Nullable Client wanted, List<ClientSource> sources) {
    List<ClientSource> found =
        sources.stream()
            .filter(source -> wanted == null ? source.isThere() : source.client() == wanted)
            .toList();
    if (found.size() > 1) {
      throw new MissingClientException(
          "Penstock found several Redis clients: " + names(found) + ".",
          "Set penstock.client to the one that limiters are to use.");
    }
    Function<RateLimiterOptions, RateLimiters> limiters =
        found.isEmpty() ? null : found.get(0).limiters();
    if (limiters == null) {
      String which = wanted == null ? "a Redis client" : wanted + ", which penstock.client names";
      throw new MissingClientException(
          "Penstock found no bean of " + which + ", so no limit can be enforced.", ADD);
    }
    return limiters;
  }

  private static String names(List<ClientSource> sources) {
    return sources.stream()
        .map(source -> source.client().name().toLowerCase(Locale.ROOT))
        .collect(Collectors.joining(", "));
  }
}
