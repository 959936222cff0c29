package io.github.penstock.examples.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.penstock.core.RateLimiter;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.topology.ClusterDeployment;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** On the connection that Boot makes to a cluster of three masters. */
@SpringBootTest(webEnvironment = WebEnvironment.NONE, properties = "ratelimit.deadline=30s")
@Import(ClusterConnectionTest.RedisCluster.class)
class ClusterConnectionTest {
  private static final int SUBJECTS = 20;

  @Autowired private RateLimiter limiter;
  @Autowired private LettuceConnectionFactory factory;

  @Test
  @DisplayName("subjects of every master are limited, also after the factory has replaced its connection")
  void everyMaster() {
    decided("before");
    factory.resetConnection();
    decided("after");
  }

  private void decided(String prefix) {
    await().atMost(Duration.ofMinutes(1)).until(() -> limiter.tryAcquire(prefix).enforced());
    for (int i = 0; i < SUBJECTS; i++) {
      assertThat(limiter.tryAcquire(prefix + i, 5).allowed()).isTrue();
      assertThat(limiter.tryAcquire(prefix + i, 5).allowed()).isFalse();
    }
  }

  @TestConfiguration(proxyBeanMethods = false)
  static class RedisCluster {
    @Bean(destroyMethod = "close")
    ClusterDeployment redis() {
      return ClusterDeployment.start(new EmbeddedServer().executable());
    }

    @Bean
    DataRedisConnectionDetails connectionDetails(ClusterDeployment redis) {
      List<DataRedisConnectionDetails.Node> nodes =
          redis.masters().stream()
              .map(node -> new DataRedisConnectionDetails.Node(node.url().host(), node.url().port()))
              .toList();
      return new DataRedisConnectionDetails() {
        @Override
        public Cluster getCluster() {
          return () -> nodes;
        }
      };
    }
  }
}
