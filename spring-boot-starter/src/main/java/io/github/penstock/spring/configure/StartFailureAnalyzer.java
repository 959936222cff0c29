package io.github.penstock.spring.configure;

import io.github.penstock.core.MisconfiguredException;
import io.github.penstock.spring.internal.client.MissingClientException;
import io.github.penstock.spring.internal.method.WrongAnnotationException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeansException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.env.Environment;

/** Logs the reason that the application does not start, and the remedy. */
final class StartFailureAnalyzer implements FailureAnalyzer {
  private static final String JEDIS_FACTORY =
      "org.springframework.data.redis.connection.jedis.JedisConnectionFactory";
  private final Environment environment;

  StartFailureAnalyzer(Environment environment) {
    this.environment = environment;
  }

  @Override
  public @Nullable FailureAnalysis analyze(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      FailureAnalysis known = known(cause);
      if (known != null) {
        return known;
      }
    }
    return null;
  }

  private @Nullable FailureAnalysis known(Throwable cause) {
    if (cause instanceof WrongPropertyException wrong) {
      String description = wrong.getMessage() + "\n\n    " + line(wrong.property());
      return new FailureAnalysis(
          description, "Correct the property " + wrong.property() + ".", wrong);
    }
    if (cause instanceof WrongAnnotationException wrong) {
      return new FailureAnalysis(
          wrong.getMessage(), "Correct the annotation, or the properties of its policy.", wrong);
    }
    if (cause instanceof MissingClientException missing) {
      return new FailureAnalysis(missing.getMessage(), missing.action(), missing);
    }
    if (cause instanceof MisconfiguredException wrong) {
      return new FailureAnalysis(
          "Penstock cannot decide with Redis as it is set up: " + wrong.getMessage(),
          "Correct what is set up, such as credentials, permissions or the kind of deployment.",
          wrong);
    }
    if (isOfJedisFactory(cause)) {
      return new FailureAnalysis(
          "Spring Data's connection factory for Jedis connects to a cluster or Sentinel when it is made, and could not: "
              + cause.getMessage(),
          "To start while Redis is down, set spring.data.redis.client-type=lettuce, whose factory connects later;"
              + " penstock.client=jedis keeps the limits on Jedis.",
          cause);
    }
    boolean tooOld =
        cause instanceof IllegalStateException
            && String.valueOf(cause.getMessage()).startsWith("Penstock needs ");
    return tooOld
        ? new FailureAnalysis(cause.getMessage(), "Set the version that it names.", cause)
        : null;
  }

  private static boolean isOfJedisFactory(Throwable cause) {
    return cause instanceof RuntimeException
        && !(cause instanceof BeansException)
        && Stream.of(cause.getStackTrace())
            .anyMatch(
                frame ->
                    frame.getClassName().equals(JEDIS_FACTORY)
                        && frame.getMethodName().equals("start"));
  }

  /* The property with its value and its location, or its expected location. */
  private String line(String property) {
    ConfigurationPropertyName name = ConfigurationPropertyName.adapt(property, '.');
    for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
      ConfigurationProperty found = source.getConfigurationProperty(name);
      if (found != null) {
        Object value = property.equals("penstock.redis.url") ? "******" : found.getValue();
        return property + ": " + value + "\n    (" + found.getOrigin() + ")";
      }
    }
    return property + " is not set";
  }
}
