package io.github.penstock.compat.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.core.AcquiredUnits;
import io.github.penstock.core.LimiterCall;
import io.github.penstock.core.RateLimitListener;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.assertj.core.util.Throwables;
import org.jspecify.annotations.Nullable;

/** All failures that callers and listeners got. Safe for use by several threads. */
final class PublishedFailures implements RateLimitListener {
  private final Queue<Throwable> all = new ConcurrentLinkedQueue<>();

  void add(Throwable failure) {
    all.add(failure);
  }

  int count() {
    return all.size();
  }

  @Override
  public void onDecision(
      LimiterCall call, AcquiredUnits acquired, @Nullable RuntimeException cause) {
    if (cause != null) {
      add(cause);
    }
  }

  @Override
  public void onFailure(LimiterCall call, RuntimeException failure) {
    add(failure);
  }

  /** Fails if a message, or that of a cause, contains a password, plain or in the form of a URI. */
  void checkSecret(String password) {
    String encoded = URLEncoder.encode(password, StandardCharsets.UTF_8);
    for (Throwable failure : all) {
      assertThat(Throwables.getStackTrace(failure))
          .doesNotContain(password)
          .doesNotContain(encoded)
          .doesNotContain(encoded.replace("+", "%20"));
    }
  }
}
