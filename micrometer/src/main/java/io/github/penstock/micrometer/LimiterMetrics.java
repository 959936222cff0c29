package io.github.penstock.micrometer;

import io.github.penstock.core.AcquiredUnits;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.FailureKind;
import io.github.penstock.core.LimiterCall;
import io.github.penstock.core.NearStatistics;
import io.github.penstock.core.PenstockException;
import io.github.penstock.core.RateLimitListener;
import io.github.penstock.core.Usage;
import io.github.penstock.core.VerdictChange;
import io.github.penstock.core.reserve.ReservationEvent;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The meters of limiters; the project's {@code docs/metrics.md} has all of them, and says which to
 * watch.
 *
 * <pre>{@code
 * LimiterMetrics metrics = new LimiterMetrics(registry, Tags.empty());
 * RateLimiterOptions options = RateLimiterOptions.builder().listener(metrics).build();
 * LettuceRateLimiters limiters = LettuceRateLimiters.connect(uri, options);
 * metrics.watch(limiters::nearStatistics);
 * }</pre>
 *
 * <p>Every call is counted once, also one that throws. No meter has a subject or a group as a tag.
 * Safe for use by several threads.
 */
public final class LimiterMetrics implements RateLimitListener {
  private static final String NONE = "none";
  private static final String UNITS = "units";
  private final MeterRegistry registry;
  private final Tags tags;
  private final MeterProvider<Timer> calls;
  private final MeterProvider<Counter> units;
  private final MeterProvider<Timer> reservations;
  private final MeterProvider<Counter> opened;
  private final MeterProvider<Counter> verdicts;

  /**
   * Meters in this registry.
   *
   * @param tags tags that all meters get, such as which limiters these are; without them, the
   *     limiters of several listeners are counted together
   */
  public LimiterMetrics(MeterRegistry registry, Iterable<Tag> tags) {
    this.registry = Objects.requireNonNull(registry, "registry");
    this.tags = Tags.of(tags);
    calls = timer("penstock.calls", "Calls to limiters, and how long they took");
    units =
        Counter.builder("penstock.units")
            .description("Units that calls asked for")
            .baseUnit(UNITS)
            .tags(tags)
            .withRegistry(registry);
    reservations = timer("penstock.reservations", "Calls of reservations, and how long they took");
    opened =
        Counter.builder("penstock.circuits.opened")
            .description("How often the circuit of a node was opened")
            .tags(tags)
            .withRegistry(registry);
    verdicts =
        Counter.builder("penstock.verdicts")
            .description("Changes of the verdict whether a server answers")
            .tags(tags)
            .withRegistry(registry);
  }

  private MeterProvider<Timer> timer(String name, String description) {
    return Timer.builder(name).description(description).tags(tags).withRegistry(registry);
  }

  /**
   * Adds meters of the limiters' memory and leases without a call, read on each read of the
   * registry. Call it once; the registry keeps the limiters as long as it has the meters.
   *
   * @param statistics {@code limiters::nearStatistics}
   */
  public void watch(Supplier<NearStatistics> statistics) {
    Gauge.builder("penstock.near.denials", () -> statistics.get().rememberedDenials())
        .description("Denials that are remembered now")
        .tags(tags)
        .register(registry);
    Gauge.builder("penstock.circuits.open", () -> statistics.get().openCircuits())
        .description("Nodes for which calls are decided at once now, because they do not answer")
        .tags(tags)
        .register(registry);
    leased(statistics, "charged", "charged ahead", NearStatistics::leasedUnits);
    leased(statistics, "used", "charged ahead and used", NearStatistics::usedUnits);
    leased(statistics, "expired", "charged ahead and not used", NearStatistics::expiredUnits);
    counter("penstock.shared.calls", statistics, NearStatistics::sharedCalls)
        .description("Calls that were sent together with others of their subject")
        .register(registry);
    counter("penstock.shared.trips", statistics, NearStatistics::sharedTrips)
        .description("Trips of two or more calls")
        .register(registry);
  }

  private void leased(
      Supplier<NearStatistics> statistics,
      String name,
      String what,
      ToLongFunction<NearStatistics> value) {
    counter("penstock.leases." + name, statistics, value)
        .description("Units that were " + what)
        .baseUnit(UNITS)
        .register(registry);
  }

  private FunctionCounter.Builder<LimiterMetrics> counter(
      String name, Supplier<NearStatistics> statistics, ToLongFunction<NearStatistics> value) {
    return FunctionCounter.builder(name, this, held -> value.applyAsLong(statistics.get()))
        .tags(tags);
  }

  @Override
  public void onDecision(
      LimiterCall call, AcquiredUnits acquired, @Nullable RuntimeException cause) {
    boolean allowed = acquired.decision().allowed();
    record(call, outcome(allowed), acquired.decision().source(), cause);
    count(call, outcome(true), acquired.units());
    count(call, outcome(false), call.units() - acquired.units());
  }

  @Override
  public void onUsage(LimiterCall call, Usage usage) {
    record(call, "answered", DecisionSource.SERVER, null);
  }

  @Override
  public void onFailure(LimiterCall call, RuntimeException failure) {
    record(call, "failed", null, failure);
  }

  private void record(
      LimiterCall call,
      String outcome,
      @Nullable DecisionSource source,
      @Nullable RuntimeException cause) {
    calls
        .withTags(
            "policy",
            call.policy(),
            "call",
            name(call.kind()),
            "outcome",
            outcome,
            "source",
            source == null ? NONE : name(source),
            "failure",
            failure(cause))
        .record(call.latency());
  }

  private void count(LimiterCall call, String outcome, long asked) {
    units.withTags("policy", call.policy(), "outcome", outcome).increment(asked);
  }

  @Override
  public void onReservation(ReservationEvent event) {
    reservations
        .withTags(
            "reservations",
            event.reservations(),
            "event",
            name(event.kind()),
            "failure",
            failure(event.cause()))
        .record(event.latency());
  }

  @Override
  public void onCircuitOpened(String node) {
    opened.withTags("node", node).increment();
  }

  @Override
  public void onVerdict(VerdictChange change) {
    if (change.verdict() != change.before()) {
      verdicts.withTags("node", change.node(), "verdict", name(change.verdict())).increment();
    }
  }

  private static String outcome(boolean allowed) {
    return allowed ? "allowed" : "denied";
  }

  private static String failure(@Nullable RuntimeException cause) {
    if (cause == null) {
      return NONE;
    }
    return name(cause instanceof PenstockException known ? known.kind() : FailureKind.UNKNOWN);
  }

  private static String name(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
