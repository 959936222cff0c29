package io.github.penstock.spring.internal.client;

import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.lettuce.LettuceRateLimiters;
import io.github.penstock.spring.internal.settings.PenstockProperties.Client;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.cluster.api.async.RedisAdvancedClusterAsyncCommands;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.data.redis.autoconfigure.ClientResourcesBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The connection that Spring's factory for Lettuce currently shares. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({LettuceConnectionFactory.class, StatefulConnection.class})
public class LettuceSource {
  @Bean
  ClientSource penstockLettuce(ObjectProvider<LettuceConnectionFactory> factories) {
    return new FactorySource(factories);
  }

  private record FactorySource(ObjectProvider<LettuceConnectionFactory> factories)
      implements ClientSource {
    @Override
    public Client client() {
      return Client.LETTUCE;
    }

    @Override
    public boolean isThere() {
      return factories.getIfUnique() != null;
    }

    @Override
    public @Nullable Function<RateLimiterOptions, RateLimiters> limiters() {
      LettuceConnectionFactory factory = factories.getIfUnique();
      return factory == null ? null : limiters(factory);
    }

    @Override
    public @Nullable Function<RateLimiterOptions, RateLimiters> limiters(Object bean) {
      if (!(bean instanceof LettuceConnectionFactory factory)) {
        return null;
      }
      if (!factory.getShareNativeConnection()) {
        throw new MissingClientException(
            "The LettuceConnectionFactory does not share its native connection.",
            "Share it, or make a bean of LettuceRateLimiters.connect(...).");
      }
      return options -> LettuceRateLimiters.using(() -> connectionOf(factory), options);
    }

    @Override
    public Function<RateLimiterOptions, RateLimiters> limitersAt(String url) {
      return options -> LettuceRateLimiters.connect(url, options);
    }

    /*
     * Closing a borrowed connection leaves the shared one open. Spring offers no other access to
     * it.
     */
    @SuppressWarnings("deprecation")
    private static StatefulConnection<?, ?> connectionOf(LettuceConnectionFactory factory) {
      try (RedisConnection borrowed = factory.getConnection()) {
        Object commands = borrowed.getNativeConnection();
        return commands instanceof RedisAdvancedClusterAsyncCommands<?, ?> cluster
            ? cluster.getStatefulConnection()
            : ((RedisAsyncCommands<?, ?>) commands).getStatefulConnection();
      }
    }
  }

  /** Reconnects each second after an outage; Lettuce waits for up to 30 s. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(ClientResourcesBuilderCustomizer.class)
  static class QuickReconnects {
    @Bean
    @Order(Ordered.HIGHEST_PRECEDENCE)
    ClientResourcesBuilderCustomizer penstockReconnectDelay() {
      Delay delay =
          Delay.exponential(Duration.ZERO, Duration.ofSeconds(1), 2, TimeUnit.MILLISECONDS);
      return resources -> resources.reconnectDelay(delay);
    }
  }
}
