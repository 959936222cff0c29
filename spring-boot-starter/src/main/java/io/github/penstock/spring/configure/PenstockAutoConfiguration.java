package io.github.penstock.spring.configure;

import static io.github.penstock.spring.configure.WrongPropertyException.checked;

import io.github.penstock.core.AsyncRateLimiters;
import io.github.penstock.core.NoDecisionException;
import io.github.penstock.core.OverloadedException;
import io.github.penstock.core.RateLimitListener;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.local.LocalRateLimiters;
import io.github.penstock.micrometer.DenialEvents;
import io.github.penstock.micrometer.LimiterMetrics;
import io.github.penstock.spring.control.PolicyMode;
import io.github.penstock.spring.control.PolicySwitches;
import io.github.penstock.spring.control.PolicySwitches.SwitchPosition;
import io.github.penstock.spring.internal.client.ClientSource;
import io.github.penstock.spring.internal.client.JedisSource;
import io.github.penstock.spring.internal.client.LettuceSource;
import io.github.penstock.spring.internal.client.MissingClientException;
import io.github.penstock.spring.internal.client.RedissonSource;
import io.github.penstock.spring.internal.client.SourceSelection;
import io.github.penstock.spring.internal.control.SuspensionReport;
import io.github.penstock.spring.internal.settings.PenstockProperties;
import io.github.penstock.spring.internal.settings.PenstockProperties.Client;
import io.github.penstock.spring.internal.settings.PolicyProperties;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.observation.ObservationRegistry;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

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
  private static final Duration REPORTED_EVERY = Duration.ofMinutes(1);
  private static final Logger LOG = System.getLogger("io.github.penstock.spring");

  @Bean(destroyMethod = "close")
  LimiterPool penstockLimiterPool(
      PenstockProperties properties,
      ObjectProvider<ClientSource> sources,
      ObjectProvider<LimiterOptionsCustomizer> customizers,
      ObjectProvider<RateLimitListener> listeners,
      BeanFactory beans) {
    RateLimiterOptions.Builder options = options(properties);
    listeners.orderedStream().forEach(options::listener);
    customizers.orderedStream().forEach(each -> each.customize(options));
    return new LimiterPool(
        () -> limiters(properties, sources.orderedStream().toList(), beans), options.build());
  }

  private static Function<RateLimiterOptions, RateLimiters> limiters(
      PenstockProperties properties, List<ClientSource> sources, BeanFactory beans) {
    String url = properties.redis().url();
    String bean = properties.redis().bean();
    if (url != null && bean != null) {
      throw new WrongPropertyException(
          "penstock.redis.bean", "limits have one server: either a url or a bean", null);
    }
    if (url != null) {
      Function<RateLimiterOptions, RateLimiters> limiters =
          SourceSelection.at(url, properties.client(), sources);
      return options -> checked("penstock.redis.url", () -> limiters.apply(options));
    }
    if (bean == null) {
      return SourceSelection.of(properties.client(), sources);
    }
    if (!beans.containsBean(bean)) {
      throw new WrongPropertyException(
          "penstock.redis.bean", "there is no bean of this name: " + bean, null);
    }
    return SourceSelection.of(bean, beans.getBean(bean), sources);
  }

  private static RateLimiterOptions.Builder options(PenstockProperties properties) {
    RateLimiterOptions.Builder options =
        RateLimiterOptions.builder()
            .onUnavailable(properties.onUnavailable())
            .onOverload(properties.onOverload())
            .verdictConnection(properties.verdictConnection())
            .shareTrips(properties.shareTrips())
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

  @Bean(destroyMethod = "close")
  SuspensionReport penstockSuspensionReport(ApplicationEventPublisher publisher) {
    return new SuspensionReport(REPORTED_EVERY, publisher::publishEvent);
  }

  @Bean
  PolicySwitches penstockSwitches(PenstockProperties properties, SuspensionReport report) {
    Map<String, SwitchPosition> positions = new LinkedHashMap<>();
    properties
        .policies()
        .forEach(
            (name, policy) ->
                positions.put(name, new SwitchPosition(policy.enabled(), policy.dryRun())));
    return new PolicySwitches(properties.enabled(), positions, report);
  }

  @Bean
  PolicyRegistry penstockPolicies(
      PenstockProperties properties,
      PolicySwitches switches,
      LimiterPool pool,
      RateLimiters limiters,
      Environment environment) {
    if (!pool.has(limiters)) {
      OwnLimiters.check(properties, environment);
    }
    return PolicyRegistry.of(properties, switches, pool, limiters);
  }

  /**
   * Checks that each place of a policy is used. An application that was processed ahead of time has
   * the beans of the properties of that time.
   */
  @Bean
  SmartInitializingSingleton penstockPlaceCheck(
      PenstockProperties properties, ListableBeanFactory beans) {
    return () ->
        properties
            .policies()
            .forEach(
                (name, policy) -> {
                  if (policy.chargeWhen() != null && !isSettled(beans)) {
                    throw new WrongPropertyException(
                        "penstock.policies." + name + ".charge-when",
                        "nothing in this application settles what requests hold",
                        null);
                  }
                  if (!isAsked(policy.at(), beans)) {
                    throw new WrongPropertyException(
                        "penstock.policies." + name + ".at",
                        "nothing in this application asks policies at: "
                            + policy.at().name().toLowerCase(Locale.ROOT),
                        null);
                  }
                });
  }

  /* Requests only if there are any. */
  private static boolean isAsked(PolicyProperties.Place place, ListableBeanFactory beans) {
    return switch (place) {
      case HANDLER ->
          beans.containsBean(PolicyAssembler.HANDLERS)
              || beans.getBeanNamesForType(PolicyAssembler.class).length == 0;
      case GATEWAY -> beans.containsBean(PolicyAssembler.ROUTES);
      case FILTER, METHOD, ALSO -> true;
    };
  }

  /* In WebFlux the response itself does this. */
  private static boolean isSettled(ListableBeanFactory beans) {
    return beans.containsBean(PolicyAssembler.SETTLEMENT)
        || beans.getBeanNamesForType(ServletPolicyAutoConfiguration.class).length == 0;
  }

  /** The asynchronous limiters; created lazily, because Jedis does not have them. */
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
   * Waits for the first decision before the application is ready. Redis may be down or full; a
   * configuration error or an unknown failure prevents the start.
   */
  @Bean
  @Order(0)
  ApplicationRunner penstockStartupWait(
      RateLimiters limiters, PolicySwitches switches, PenstockProperties properties) {
    Duration wait = properties.startupWait();
    if (wait.isNegative()) {
      throw new WrongPropertyException(
          "penstock.startup-wait", "must not be negative: " + wait, null);
    }
    return arguments -> {
      if (wait.isZero() || !switches.isEnabled()) {
        return;
      }
      try {
        limiters.awaitConnected(wait);
      } catch (NoDecisionException | OverloadedException undecided) {
        LOG.log(Level.WARNING, "ready without a decision of Redis: " + undecided.getMessage());
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
   * @param made creates them
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

    @Bean
    SmartInitializingSingleton penstockSwitchGauges(
        ObjectProvider<MeterRegistry> registries,
        PenstockProperties properties,
        PolicySwitches switches) {
      return () -> {
        MeterRegistry registry = registries.getObject();
        for (String policy : properties.policies().keySet()) {
          gauge(registry, policy, switches, "disabled", PolicyMode.OFF);
          gauge(registry, policy, switches, "dry", PolicyMode.DRY_RUN);
        }
      };
    }

    private static void gauge(
        MeterRegistry registry,
        String policy,
        PolicySwitches switches,
        String name,
        PolicyMode mode) {
      Gauge.builder("penstock.policies." + name, () -> switches.mode(policy) == mode ? 1 : 0)
          .description("1 while the policy is not enforced, as it is " + mode)
          .tag("policy", policy)
          .register(registry);
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
