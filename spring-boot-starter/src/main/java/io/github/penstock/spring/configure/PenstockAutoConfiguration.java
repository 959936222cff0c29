package io.github.penstock.spring.configure;

import static io.github.penstock.spring.configure.WrongPropertyException.checked;

import io.github.penstock.core.AsyncRateLimiters;
import io.github.penstock.core.NoDecisionException;
import io.github.penstock.core.RateLimitListener;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.local.LocalRateLimiters;
import io.github.penstock.micrometer.DenialEvents;
import io.github.penstock.micrometer.LimiterMetrics;
import io.github.penstock.spring.client.ClientSource;
import io.github.penstock.spring.client.JedisSource;
import io.github.penstock.spring.client.LettuceSource;
import io.github.penstock.spring.client.MissingClientException;
import io.github.penstock.spring.client.RedissonSource;
import io.github.penstock.spring.client.SourceSelection;
import io.github.penstock.spring.settings.PenstockProperties;
import io.github.penstock.spring.settings.PenstockProperties.Client;
import io.github.penstock.spring.settings.PolicyProperties;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.observation.ObservationRegistry;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Locale;
import java.util.function.Function;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.annotation.Order;

/** Limiters on the Redis client that the application has. */
@AutoConfiguration(
    afterName = {
      "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
      "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
    })
@EnableConfigurationProperties(PenstockProperties.class)
@ImportRuntimeHints(NativeHints.class)
@Import({LettuceSource.class, JedisSource.class, RedissonSource.class})
public class PenstockAutoConfiguration {
  private static final Logger LOG = System.getLogger("io.github.penstock.spring");

  @Bean(destroyMethod = "close")
  LimiterPool penstockLimiterPool(
      PenstockProperties properties,
      ObjectProvider<ClientSource> sources,
      ObjectProvider<LimiterOptionsCustomizer> customizers,
      ObjectProvider<RateLimitListener> listeners) {
    RateLimiterOptions.Builder options = options(properties);
    listeners.orderedStream().forEach(options::listener);
    customizers.orderedStream().forEach(each -> each.customize(options));
    return new LimiterPool(
        () -> SourceSelection.of(properties.client(), sources.orderedStream().toList()),
        options.build());
  }

  private static RateLimiterOptions.Builder options(PenstockProperties properties) {
    RateLimiterOptions.Builder options =
        RateLimiterOptions.builder()
            .onUnavailable(properties.onUnavailable())
            .onOverload(properties.onOverload())
            .functions(properties.functions());
    checked("penstock.prefix", () -> options.prefix(properties.prefix()));
    checked("penstock.deadline", () -> options.deadline(properties.deadline()));
    checked(
        "penstock.remember-denials", () -> options.rememberDenials(properties.rememberDenials()));
    checked("penstock.most-denials", () -> options.mostDenials(properties.mostDenials()));
    checked("penstock.circuit-breaker", () -> options.circuitBreaker(properties.circuitBreaker()));
    return options;
  }

  /** The pool closes them. */
  @Bean(destroyMethod = "")
  @ConditionalOnMissingBean
  RateLimiters penstockLimiters(LimiterPool pool) {
    return new BlockingLimiters(pool.common());
  }

  @Bean
  PolicyRegistry penstockPolicies(
      PenstockProperties properties, LimiterPool pool, RateLimiters limiters) {
    return PolicyRegistry.of(properties, pool, limiters);
  }

  /**
   * Checks that each place of a policy is asked. An application that was processed ahead of time
   * has the beans of the properties of that time.
   */
  @Bean
  SmartInitializingSingleton penstockPlaceCheck(
      PenstockProperties properties, ListableBeanFactory beans) {
    return () ->
        properties
            .policies()
            .forEach(
                (name, policy) -> {
                  if (!isAsked(policy.at(), beans)) {
                    throw new WrongPropertyException(
                        "penstock.policies." + name + ".at",
                        "nothing in this application asks policies at: "
                            + policy.at().name().toLowerCase(Locale.ROOT),
                        null);
                  }
                });
  }

  /* Requests only where there are any. */
  private static boolean isAsked(PolicyProperties.Place place, ListableBeanFactory beans) {
    return switch (place) {
      case HANDLER ->
          beans.containsBean(PolicyAssembler.HANDLERS)
              || beans.getBeanNamesForType(PolicyAssembler.class).length == 0;
      case GATEWAY -> beans.containsBean(PolicyAssembler.ROUTES);
      case FILTER, METHOD -> true;
    };
  }

  /** The same limiters; made when they are asked for, because Jedis has none. */
  @Bean(destroyMethod = "")
  @Lazy
  @ConditionalOnMissingBean
  AsyncRateLimiters penstockAsyncLimiters(LimiterPool pool) {
    if (pool.common() instanceof AsyncRateLimiters limiters) {
      return new AsyncLimiters(limiters);
    }
    throw new MissingClientException(
        "AsyncRateLimiters are wanted, and the client is Jedis, which is blocking.",
        "Use Lettuce or Redisson, or RateLimiters.");
  }

  /**
   * Waits for the first decision before the application is ready. Redis may be down; what is set up
   * wrong ends the start.
   */
  @Bean
  @Order(0)
  ApplicationRunner penstockStartupWait(RateLimiters limiters, PenstockProperties properties) {
    return arguments -> {
      try {
        limiters.awaitConnected(properties.startupWait());
      } catch (NoDecisionException down) {
        LOG.log(Level.WARNING, "ready without Redis: " + down.getMessage());
      }
    };
  }

  /** Limiters in memory, which are chosen by name only. */
  @Configuration(proxyBeanMethods = false)
  static class LocalConfiguration {
    @Bean
    @ConditionalOnMissingBean(name = AutoConfigureTestPenstock.SOURCE)
    ClientSource penstockLocal() {
      return new LocalSource(LocalRateLimiters::create);
    }
  }

  /**
   * Limiters that need no client.
   *
   * @param made how they are made
   */
  record LocalSource(Function<RateLimiterOptions, RateLimiters> made) implements ClientSource {
    @Override
    public Client client() {
      return Client.LOCAL;
    }

    @Override
    public boolean isThere() {
      return false;
    }

    @Override
    public Function<RateLimiterOptions, RateLimiters> limiters() {
      return made;
    }
  }

  /** Meters of all limiters. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(MeterRegistry.class)
  @ConditionalOnBean(MeterRegistry.class)
  static class MeterConfiguration {
    @Bean
    @ConditionalOnMissingBean
    LimiterMetrics penstockMetrics(ObjectProvider<MeterRegistry> registries) {
      return new LimiterMetrics(registries.getObject(), Tags.empty());
    }

    @Bean
    SmartInitializingSingleton penstockNearGauges(
        LimiterMetrics metrics, LimiterPool pool, RateLimiters limiters) {
      return () -> metrics.watch(() -> pool.nearStatistics(limiters));
    }
  }

  /** Events of denials. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(ObservationRegistry.class)
  static class ObservationConfiguration {
    @Bean
    @ConditionalOnMissingBean
    DenialEvents penstockDenialEvents(ObjectProvider<ObservationRegistry> registries) {
      return new DenialEvents(registries.getIfAvailable(() -> ObservationRegistry.NOOP));
    }
  }
}
