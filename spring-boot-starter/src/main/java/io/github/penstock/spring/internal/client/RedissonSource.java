package io.github.penstock.spring.internal.client;

import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.redisson.RedissonRateLimiters;
import io.github.penstock.spring.internal.settings.PenstockProperties.Client;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.redisson.api.RedissonClient;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The application's client of Redisson, a bean. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(RedissonClient.class)
public class RedissonSource {
  @Bean
  ClientSource penstockRedisson(ObjectProvider<RedissonClient> clients) {
    return new BeanSource(clients);
  }

  private record BeanSource(ObjectProvider<RedissonClient> clients) implements ClientSource {
    @Override
    public Client client() {
      return Client.REDISSON;
    }

    @Override
    public boolean isThere() {
      return clients.getIfUnique() != null;
    }

    @Override
    public @Nullable Function<RateLimiterOptions, RateLimiters> limiters() {
      RedissonClient client = clients.getIfUnique();
      return client == null ? null : limiters(client);
    }

    @Override
    public @Nullable Function<RateLimiterOptions, RateLimiters> limiters(Object bean) {
      return bean instanceof RedissonClient client
          ? options -> RedissonRateLimiters.using(client, options)
          : null;
    }

    @Override
    public Function<RateLimiterOptions, RateLimiters> limitersAt(String url) {
      return options -> RedissonRateLimiters.connect(url, options);
    }
  }
}
