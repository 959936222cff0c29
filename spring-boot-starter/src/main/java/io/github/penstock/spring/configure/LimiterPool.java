package io.github.penstock.spring.configure;

import io.github.penstock.core.NearStatistics;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.spring.internal.settings.PolicyProperties;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The limiters on the application's client, one set for each combination of deadline and outage
 * behaviour; the sets share the client, so that another set is cheap. Safe for use by several
 * threads.
 */
final class LimiterPool implements AutoCloseable {
  private final Supplier<Function<RateLimiterOptions, RateLimiters>> source;
  private final RateLimiterOptions options;
  private final Map<LimiterChoice, RateLimiters> made = new LinkedHashMap<>();

  private record LimiterChoice(Duration deadline, OnUnavailable onUnavailable) {}

  LimiterPool(
      Supplier<Function<RateLimiterOptions, RateLimiters>> source, RateLimiterOptions options) {
    this.source = source;
    this.options = options;
  }

  /** The limiters with the properties' options. */
  RateLimiters common() {
    return of(new LimiterChoice(options.deadline(), options.onUnavailable()));
  }

  /** Returns whether the starter created the limiters, rather than the application. */
  synchronized boolean has(RateLimiters limiters) {
    return limiters instanceof BlockingLimiters
        || made.values().stream().anyMatch(each -> each == limiters);
  }

  /**
   * The limiters of a policy.
   *
   * @param bean the limiters of policies without separate options; the application's, or these
   */
  RateLimiters of(PolicyProperties policy, RateLimiters bean) {
    Duration deadline = policy.deadline();
    OnUnavailable onUnavailable = policy.onUnavailable();
    if (deadline == null && onUnavailable == null) {
      return bean instanceof BlockingLimiters ours ? ours.limiters() : bean;
    }
    return of(
        new LimiterChoice(
            deadline == null ? options.deadline() : deadline,
            onUnavailable == null ? options.onUnavailable() : onUnavailable));
  }

  /**
   * The remembered denials, leases and shared trips of all limiters.
   *
   * @param bean the application's limiters, or these
   */
  synchronized NearStatistics nearStatistics(RateLimiters bean) {
    Stream<RateLimiters> own = bean instanceof BlockingLimiters ? Stream.empty() : Stream.of(bean);
    return Stream.concat(made.values().stream(), own)
        .distinct()
        .map(RateLimiters::nearStatistics)
        .reduce(new NearStatistics(0, 0, 0, 0, 0, 0, 0), LimiterPool::sum);
  }

  /* A node that one set bypasses may be the same as another's. */
  private static NearStatistics sum(NearStatistics a, NearStatistics b) {
    return new NearStatistics(
        a.rememberedDenials() + b.rememberedDenials(),
        a.leasedUnits() + b.leasedUnits(),
        a.usedUnits() + b.usedUnits(),
        a.expiredUnits() + b.expiredUnits(),
        Math.max(a.openCircuits(), b.openCircuits()),
        a.sharedCalls() + b.sharedCalls(),
        a.sharedTrips() + b.sharedTrips());
  }

  private synchronized RateLimiters of(LimiterChoice choice) {
    return made.computeIfAbsent(
        choice,
        missing ->
            source
                .get()
                .apply(
                    options.toBuilder()
                        .deadline(choice.deadline)
                        .onUnavailable(choice.onUnavailable)
                        .build()));
  }

  @Override
  public synchronized void close() {
    made.values().forEach(RateLimiters::close);
  }
}
