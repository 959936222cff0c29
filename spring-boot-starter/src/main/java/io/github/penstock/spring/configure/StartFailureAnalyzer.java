package io.github.penstock.spring.configure;

import io.github.penstock.core.MisconfiguredException;
import io.github.penstock.spring.client.MissingClientException;
import io.github.penstock.spring.method.WrongAnnotationException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.env.Environment;

/** Says in the log why the application does not start, and what to do. */
final class StartFailureAnalyzer implements FailureAnalyzer {
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
    boolean tooOld =
        cause instanceof IllegalStateException
            && String.valueOf(cause.getMessage()).startsWith("Penstock needs ");
    return tooOld
        ? new FailureAnalysis(cause.getMessage(), "Set the version that it names.", cause)
        : null;
  }

  /* The property with its value and where it stands, or where it would be. */
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
