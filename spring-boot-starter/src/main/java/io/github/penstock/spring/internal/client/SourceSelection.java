package io.github.penstock.spring.internal.client;

import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.spring.internal.settings.PenstockProperties.Client;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
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
   * Creates limiters on the client.
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

  /**
   * Creates limiters on a bean that the properties name.
   *
   * @throws MissingClientException if the bean is not a client
   */
  public static Function<RateLimiterOptions, RateLimiters> of(
      String name, Object bean, List<ClientSource> sources) {
    return sources.stream()
        .<Function<RateLimiterOptions, RateLimiters>>mapMulti(
            (source, found) -> {
              Function<RateLimiterOptions, RateLimiters> limiters = source.limiters(bean);
              if (limiters != null) {
                found.accept(limiters);
              }
            })
        .findFirst()
        .orElseThrow(
            () ->
                new MissingClientException(
                    "The bean \"%s\", which penstock.redis.bean names, is a %s."
                        .formatted(name, bean.getClass().getName()),
                    "Name a LettuceConnectionFactory, a client of Jedis 8 or a RedissonClient."));
  }

  /**
   * Creates limiters with separate connections.
   *
   * @param wanted the client that the properties name, if they do
   * @throws MissingClientException if no library can, or several can and none is named
   */
  public static Function<RateLimiterOptions, RateLimiters> at(
      String url, @Nullable Client wanted, List<ClientSource> sources) {
    List<ClientSource> able =
        sources.stream()
            .filter(source -> wanted == null || source.client() == wanted)
            .filter(source -> source.limitersAt(url) != null)
            .toList();
    List<ClientSource> there = able.stream().filter(ClientSource::isThere).toList();
    List<ClientSource> found = there.size() == 1 ? there : able;
    if (found.size() != 1) {
      throw new MissingClientException(
          "penstock.redis.url needs one library to connect by, and there are: "
              + names(found)
              + ".",
          "Set penstock.client to lettuce, jedis or redisson, and have it on the class path.");
    }
    return Objects.requireNonNull(found.get(0).limitersAt(url));
  }

  private static String names(List<ClientSource> sources) {
    return sources.stream()
        .map(source -> source.client().name().toLowerCase(Locale.ROOT))
        .collect(Collectors.joining(", "));
  }
}
