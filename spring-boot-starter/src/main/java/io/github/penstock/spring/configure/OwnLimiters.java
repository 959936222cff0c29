package io.github.penstock.spring.configure;

import io.github.penstock.spring.internal.settings.PenstockProperties;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.Environment;

/**
 * Checks an application that defines its own {@code RateLimiters} bean: properties do not change
 * that bean's options, so a property that is set is an error.
 */
final class OwnLimiters {
  private static final Logger LOG = System.getLogger("io.github.penstock.spring");
  private static final List<String> OPTIONS =
      List.of(
          "client",
          "redis.url",
          "redis.bean",
          "prefix",
          "deadline",
          "on-unavailable",
          "on-overload",
          "remember-denials",
          "most-denials",
          "circuit-breaker",
          "verdict-connection",
          "share-trips",
          "functions");
  private static final String RULE =
      "it has no effect, because a bean of RateLimiters of the application decides, with options of"
          + " its own: leave it out, or name the server by penstock.redis.url or"
          + " penstock.redis.bean in place of that bean";

  private OwnLimiters() {}

  static void check(PenstockProperties properties, Environment environment) {
    for (String option : OPTIONS) {
      check(environment, "penstock." + option);
    }
    for (String policy : properties.policies().keySet()) {
      check(environment, "penstock.policies." + policy + ".deadline");
      check(environment, "penstock.policies." + policy + ".on-unavailable");
    }
    LOG.log(
        Level.WARNING,
        "policies are decided by a bean of RateLimiters of the application: no meter and no event"
            + " has its decisions, unless its own options have these listeners");
  }

  private static void check(Environment environment, String property) {
    ConfigurationPropertyName name = ConfigurationPropertyName.adapt(property, '.');
    ConfigurationPropertySources.get(environment)
        .forEach(
            source -> {
              if (source.getConfigurationProperty(name) != null) {
                throw new WrongPropertyException(property, RULE, null);
              }
            });
  }
}
