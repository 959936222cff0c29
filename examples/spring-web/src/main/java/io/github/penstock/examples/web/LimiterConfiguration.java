package io.github.penstock.examples.web;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.github.penstock.core.NoDecisionException;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.limit.Limits;
import io.github.penstock.jedis.JedisRateLimiters;
import io.github.penstock.lettuce.LettuceRateLimiters;
import io.github.penstock.redisson.RedissonRateLimiters;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.cluster.api.async.RedisAdvancedClusterAsyncCommands;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.data.redis.autoconfigure.ClientResourcesBuilderCustomizer;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.RedisClient;

/** The limiter, and where it is asked. */
@Configuration
class LimiterConfiguration {
  private static final Logger LOG = LoggerFactory.getLogger(LimiterConfiguration.class);

  /** Asked for every request but those of the health check and the like. */
  @Bean
  WebMvcConfigurer limited(RateLimiter limiter, RateLimitSettings settings) {
    return new WebMvcConfigurer() {
      @Override
      public void addInterceptors(InterceptorRegistry registry) {
        registry
            .addInterceptor(new RateLimitInterceptor(limiter, settings.subject()))
            .excludePathPatterns("/actuator/**");
      }
    };
  }

  @Bean
  RateLimiter limiter(RateLimiters limiters, RateLimitSettings settings) {
    return limiters.limiter("api", Limits.parse(settings.limit()));
  }

  /**
   * Connects before there are requests, so that the first does not wait for it. Redis may be down;
   * what is set up wrong ends the application.
   */
  @Bean
  ApplicationRunner connected(RateLimiters limiters, RateLimiter made) {
    return arguments -> {
      try {
        limiters.awaitConnected(Duration.ofSeconds(10));
      } catch (NoDecisionException down) {
        LOG.warn("Started without Redis: {}", down.getMessage());
      }
    };
  }

  /** On Lettuce: the connection that Boot has made, whichever it is at the time. */
  @Configuration
  @Profile("!jedis & !redisson")
  static class OnLettuce {
    @Bean
    RateLimiters limiters(LettuceConnectionFactory factory, RateLimitSettings settings) {
      return LettuceRateLimiters.using(() -> connectionOf(factory), settings.options());
    }

    /** Tries each second while Redis is away; by default each try is later, up to 30 s. */
    @Bean
    ClientResourcesBuilderCustomizer reconnecting() {
      Delay delay = Delay.exponential(Duration.ZERO, Duration.ofSeconds(1), 2, MILLISECONDS);
      return resources -> resources.reconnectDelay(delay);
    }

    private static StatefulConnection<?, ?> connectionOf(LettuceConnectionFactory factory) {
      try (RedisConnection borrowed = factory.getConnection()) {
        Object commands = borrowed.getNativeConnection();
        return commands instanceof RedisAdvancedClusterAsyncCommands<?, ?> cluster
            ? cluster.getStatefulConnection()
            : ((RedisAsyncCommands<?, ?>) commands).getStatefulConnection();
      }
    }
  }

  /** On Jedis: Boot makes no client of Jedis 8, so here is one beside its connections. */
  @Configuration
  @Profile("jedis")
  static class OnJedis {
    @Bean(destroyMethod = "close")
    RedisClient redisClient(DataRedisConnectionDetails details, RateLimitSettings settings) {
      // by default 2 s, in which a call that has to connect would outlast its deadline
      int millis = Math.toIntExact(Math.max(1, settings.deadline().toMillis() / 4));
      ConnectionPoolConfig pool = new ConnectionPoolConfig();
      pool.setMaxTotal(64); // by default 8: requests would wait for a connection
      return RedisClient.builder()
          .hostAndPort(details.getStandalone().getHost(), details.getStandalone().getPort())
          .clientConfig(DefaultJedisClientConfig.builder().timeoutMillis(millis).build())
          .poolConfig(pool)
          .build();
    }

    @Bean
    RateLimiters limiters(RedisClient client, RateLimitSettings settings) {
      return JedisRateLimiters.using(client, settings.options());
    }
  }

  /** On Redisson: the client that an application with Redisson has as a bean. */
  @Configuration
  @Profile("redisson")
  static class OnRedisson {
    @Bean(destroyMethod = "shutdown")
    RedissonClient redisson(DataRedisConnectionDetails details) {
      Config config = new Config();
      config
          .useSingleServer()
          .setAddress(
              "redis://%s:%d"
                  .formatted(details.getStandalone().getHost(), details.getStandalone().getPort()))
          .setRetryAttempts(0);
      return Redisson.create(config);
    }

    @Bean
    RateLimiters limiters(RedissonClient redisson, RateLimitSettings settings) {
      return RedissonRateLimiters.using(redisson, settings.options());
    }
  }
}
