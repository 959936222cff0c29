package io.github.penstock.compat.near;

import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.testkit.resp.RedisUrl;
import io.github.penstock.testkit.topology.ServerEndpoint;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Rules about the client of the suite that they are nested in. */
@ExtendWith(ClientRules.Surroundings.class)
public abstract class ClientRules {
  private @Nullable SuiteClient client;

  /** A suite. */
  public interface TestedClient {
    /** The client that it tests. */
    SuiteClient suiteClient();
  }

  /** Marks rules that ask through asynchronous limiters; skipped if the client has none. */
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.TYPE)
  public @interface ThroughStages {}

  /** The client whose rules these are. */
  protected final SuiteClient suiteClient() {
    if (client == null) {
      throw new IllegalStateException("rules must be run by JUnit, nested in a suite");
    }
    return client;
  }

  /** Limiters on a single server, or on a proxy before one; the caller closes them. */
  protected final RateLimiters connect(RedisUrl url, RateLimiterOptions options) {
    return connect(new ServerEndpoint.Single(url), options);
  }

  /** Limiters on servers; the caller closes them. */
  protected final RateLimiters connect(ServerEndpoint endpoint, RateLimiterOptions options) {
    return suiteClient().connector().connect(endpoint, options);
  }

  /** Gives the rules of a test the client of their suite. */
  static final class Surroundings implements BeforeEachCallback {
    @Override
    public void beforeEach(ExtensionContext context) {
      List<Object> around = context.getRequiredTestInstances().getAllInstances();
      SuiteClient tested = ((TestedClient) around.get(0)).suiteClient();
      for (Object each : around) {
        if (each instanceof ClientRules rules) {
          boolean stages = rules.getClass().isAnnotationPresent(ThroughStages.class);
          rules.client = stages ? tested.asynchronous() : tested;
        }
      }
    }
  }
}
