package io.github.penstock.examples.web;

import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;

/** A real Redis, unless {@code spring.data.redis.host} names one. */
@TestConfiguration(proxyBeanMethods = false)
@ConditionalOnProperty(
    name = "spring.data.redis.host",
    havingValue = "embedded",
    matchIfMissing = true)
class EmbeddedRedis {
  @Bean(destroyMethod = "close")
  ServerProcess redis() {
    return new EmbeddedServer().start();
  }

  @Bean
  DataRedisConnectionDetails connectionDetails(ServerProcess redis) {
    DataRedisConnectionDetails.Standalone standalone =
        DataRedisConnectionDetails.Standalone.of(redis.url().host(), redis.url().port());
    return new DataRedisConnectionDetails() {
      @Override
      public Standalone getStandalone() {
        return standalone;
      }
    };
  }
}
