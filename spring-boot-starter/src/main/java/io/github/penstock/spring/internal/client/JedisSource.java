package io.github.penstock.spring.internal.client;

import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.jedis.JedisRateLimiters;
import io.github.penstock.spring.internal.settings.PenstockProperties;
import io.github.penstock.spring.internal.settings.PenstockProperties.Client;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import redis.clients.jedis.UnifiedJedis;

/**
 * The application's client of Jedis 8, a bean; or one that is created from Spring's connection
 * details, because Boot creates none.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({UnifiedJedis.class, DataRedisConnectionDetails.class})
public class JedisSource {
  /*
   * Lazy, because an older Jedis, which an application may have in addition to another client,
   * lacks it.
   */
  @Bean(destroyMethod = "close")
  @Lazy
  JedisClients penstockJedisClients(
      PenstockProperties properties,
      ObjectProvider<DataRedisConnectionDetails> details,
      Environment environment) {
    String url = environment.getProperty("spring.data.redis.url", "");
    boolean tls = url.regionMatches(true, 0, "rediss:", 0, "rediss:".length());
    return new JedisClients(properties.shortestDeadline(), details, tls);
  }

  @Bean
  ClientSource penstockJedis(
      ObjectProvider<UnifiedJedis> clients,
      ObjectProvider<JedisConnectionFactory> factories,
      ObjectProvider<DataRedisConnectionDetails> details,
      ObjectProvider<JedisClients> made,
      ListableBeanFactory beans) {
    return new JedisBeanSource(clients, factories, details, made, beans);
  }

  private record JedisBeanSource(
      ObjectProvider<UnifiedJedis> clients,
      ObjectProvider<JedisConnectionFactory> factories,
      ObjectProvider<DataRedisConnectionDetails> details,
      ObjectProvider<JedisClients> made,
      ListableBeanFactory beans)
      implements ClientSource {
    @Override
    public Client client() {
      return Client.JEDIS;
    }

    @Override
    public boolean isThere() {
      return clients.getIfUnique() != null || hasFactory();
    }

    /* A single bean is not created here: it would connect, and fail while Redis is down. */
    private boolean hasFactory() {
      String[] names =
          BeanFactoryUtils.beanNamesForTypeIncludingAncestors(
              beans, JedisConnectionFactory.class, true, false);
      return names.length == 1 || names.length > 1 && factories.getIfUnique() != null;
    }

    @Override
    public @Nullable Function<RateLimiterOptions, RateLimiters> limiters() {
      UnifiedJedis client = clients.getIfUnique();
      if (client != null) {
        return limiters(client);
      }
      return details.getIfUnique() == null
          ? null
          : options -> JedisRateLimiters.using(() -> made.getObject().client(), options);
    }

    @Override
    public @Nullable Function<RateLimiterOptions, RateLimiters> limiters(Object bean) {
      return bean instanceof UnifiedJedis client
          ? options -> JedisRateLimiters.using(client, options)
          : null;
    }

    @Override
    public Function<RateLimiterOptions, RateLimiters> limitersAt(String url) {
      return options -> JedisRateLimiters.connect(url, options);
    }
  }
}
