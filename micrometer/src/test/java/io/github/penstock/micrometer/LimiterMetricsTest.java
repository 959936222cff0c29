package io.github.penstock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.MisconfiguredException;
import io.github.penstock.core.NoDecisionException;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.VerdictChange;
import io.github.penstock.core.VerdictChange.Verdict;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.LeaseTerms;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.reserve.EntryLimit;
import io.github.penstock.core.reserve.Reservation;
import io.github.penstock.core.reserve.Reservations;
import io.github.penstock.lettuce.LettuceRateLimiters;
import io.github.penstock.testkit.resp.RespConnection;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.search.Search;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.Observation.Event;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What each call on a real server becomes; the server is down for some. */
class LimiterMetricsTest {
  private static final Path DOCS = Path.of("..", "docs");
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Limit FIVE = FixedWindow.of(5, HOUR);
  private static final String SUBJECT = "somebody-secret";

  @AutoClose private static final ServerProcess server = new EmbeddedServer().start();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  private LettuceRateLimiters metered(RateLimiterOptions.Builder options) {
    return metered(options, registry);
  }

  private static LettuceRateLimiters metered(
      RateLimiterOptions.Builder options, MeterRegistry registry) {
    LimiterMetrics metrics = new LimiterMetrics(registry, Tags.of("limiters", "main"));
    LettuceRateLimiters limiters =
        LettuceRateLimiters.connect(server.url().toString(), options.listener(metrics).build());
    metrics.watch(limiters::nearStatistics);
    return limiters;
  }

  private static RateLimiterOptions.Builder patient() {
    return RateLimiterOptions.builder().deadline(Duration.ofSeconds(30));
  }

  private static RateLimiterOptions.Builder hasty() {
    return RateLimiterOptions.builder().deadline(Duration.ofMillis(300));
  }

  private long calls(String... tags) {
    return count(registry.find("penstock.calls").tags(tags));
  }

  private long reservations(String... tags) {
    return count(registry.find("penstock.reservations").tags(tags));
  }

  private static long count(Search found) {
    return found.timers().stream().mapToLong(Timer::count).sum();
  }

  private double value(String name, String... tags) {
    return registry.get(name).tags(tags).meters().stream()
        .mapToDouble(meter -> meter.measure().iterator().next().getValue())
        .sum();
  }

  @Test
  @DisplayName("calls by policy, outcome and source; units; what is remembered and leased")
  void decisions() {
    try (LettuceRateLimiters limiters = metered(patient().rememberDenials(Duration.ofMinutes(1)))) {
      RateLimiter api = limiters.limiter("decisions", FIVE);
      api.tryAcquire(SUBJECT, 3);
      assertThat(api.tryAcquireUpTo(SUBJECT, 6).units()).isEqualTo(2);
      for (int i = 0; i < 4; i++) {
        api.tryAcquire(SUBJECT);
      }
      assertThat(calls("policy", "decisions", "outcome", "allowed", "source", "server"))
          .isEqualTo(2);
      assertThat(calls("policy", "decisions", "call", "acquire_up_to")).isEqualTo(1);
      assertThat(calls("outcome", "denied", "source", "server")).isEqualTo(1);
      assertThat(calls("outcome", "denied", "source", "remembered")).isEqualTo(3);
      assertThat(value("penstock.units", "policy", "decisions", "outcome", "allowed")).isEqualTo(5);
      assertThat(value("penstock.units", "policy", "decisions", "outcome", "denied"))
          .isEqualTo(4 + 4);
      assertThat(value("penstock.near.denials", "limiters", "main")).isEqualTo(1);
      api.peek(SUBJECT);
      api.reset(SUBJECT);
      assertThat(calls("call", "peek", "outcome", "answered")).isEqualTo(1);
      assertThat(calls("call", "refund", "outcome", "answered")).isEqualTo(1);
      assertThat(value("penstock.units", "policy", "decisions")).isEqualTo(13);
      assertThat(calls("failure", "none")).isEqualTo(8).isEqualTo(calls());

      RateLimiter leased =
          limiters.limiter(
              "leased", FixedWindow.of(1_000, HOUR), new LeaseTerms(10, Duration.ofMinutes(1)));
      while (calls("policy", "leased", "source", "leased") == 0) {
        leased.tryAcquire(SUBJECT);
      }
      assertThat(value("penstock.leases.charged")).isPositive();
      assertThat(value("penstock.leases.used")).isPositive();
      assertThat(value("penstock.leases.expired")).isZero();
      assertThat(
              registry.get("penstock.calls").timers().stream()
                  .mapToDouble(timer -> timer.totalTime(timer.baseTimeUnit())))
          .allSatisfy(time -> assertThat(time).isPositive());
    }
  }

  @Test
  @DisplayName("calls that shared a trip, and these trips")
  void sharedTrips() {
    try (LettuceRateLimiters limiters = metered(patient())) {
      AsyncRateLimiter api = limiters.asyncLimiter("shared", FixedWindow.of(1_000, HOUR));
      Stream.generate(() -> api.tryAcquire(SUBJECT).toCompletableFuture())
          .limit(500)
          .toList()
          .forEach(CompletableFuture::join);
      double trips = value("penstock.shared.trips", "limiters", "main");
      assertThat(trips).isPositive().isEqualTo(limiters.nearStatistics().sharedTrips());
      assertThat(value("penstock.shared.calls", "limiters", "main"))
          .isBetween(2 * trips, 500.0)
          .isEqualTo(limiters.nearStatistics().sharedCalls());
      assertThat(calls("outcome", "allowed", "source", "server")).isEqualTo(500);
    }
  }

  @Test
  @DisplayName("in an outage each call is counted once, as failed or by who decided, with its kind")
  void outage() {
    Duration second = Duration.ofSeconds(1);
    try (LettuceRateLimiters thrown = metered(hasty().deadline(second));
        LettuceRateLimiters open =
            metered(hasty().deadline(second).onUnavailable(OnUnavailable.ALLOW))) {
      thrown.awaitConnected(Duration.ofSeconds(30));
      open.awaitConnected(Duration.ofSeconds(30));
      RateLimiter failing = thrown.limiter("outage", FIVE);
      RateLimiter opened = open.limiter("outage", FIVE);
      server.stop();
      try {
        for (int i = 0; i < 5; i++) {
          assertThatThrownBy(() -> failing.tryAcquire(SUBJECT))
              .isInstanceOf(NoDecisionException.class);
          assertThat(opened.tryAcquire(SUBJECT, 7).allowed()).isTrue();
        }
        assertThatThrownBy(() -> failing.peek(SUBJECT)).isInstanceOf(NoDecisionException.class);
      } finally {
        server.restart();
      }
      assertThat(calls("call", "acquire", "outcome", "failed", "source", "none")).isEqualTo(5);
      assertThat(calls("call", "peek", "outcome", "failed")).isEqualTo(1);
      assertThat(calls("outcome", "allowed", "source", "unavailable")).isEqualTo(5);
      assertThat(calls("failure", "not_sent") + calls("failure", "not_answered"))
          .isEqualTo(11)
          .isEqualTo(calls());
      assertThat(value("penstock.units", "outcome", "allowed")).isEqualTo(35);
    }
  }

  @Test
  @DisplayName("what is set up wrong has its kind")
  void mistake() {
    try (LettuceRateLimiters limiters = metered(patient())) {
      server.call("SADD", "penstock:mistake:{" + SUBJECT + "}:w3600000000", "somebody else's");
      assertThatThrownBy(() -> limiters.limiter("mistake", FIVE).tryAcquire(SUBJECT))
          .isInstanceOf(MisconfiguredException.class);
      assertThat(calls("outcome", "failed", "failure", "misconfigured")).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("a circuit: how many are open, and how often one was opened")
  void circuit() {
    try (LettuceRateLimiters limiters =
        metered(hasty().onUnavailable(OnUnavailable.ALLOW).circuitBreaker(Duration.ofSeconds(2)))) {
      RateLimiter api = limiters.limiter("circuit", FixedWindow.of(1_000_000, HOUR));
      await().atMost(Duration.ofMinutes(10)).until(() -> api.tryAcquire(SUBJECT).enforced());
      server.freeze();
      try {
        await()
            .atMost(Duration.ofMinutes(10))
            .until(() -> !api.tryAcquire(SUBJECT).enforced() && circuitsOpen() == 1);
        assertThat(value("penstock.circuits.opened")).isPositive();
        await()
            .atMost(Duration.ofMinutes(10))
            .until(() -> !api.tryAcquire(SUBJECT).enforced() && isSilent());
      } finally {
        server.thaw();
      }
      await()
          .atMost(Duration.ofMinutes(10))
          .until(() -> api.tryAcquire(SUBJECT).enforced() && circuitsOpen() == 0);
    }
  }

  private boolean isSilent() {
    return registry.find("penstock.verdicts").tag("verdict", "silent").counter() != null;
  }

  private double circuitsOpen() {
    return value("penstock.circuits.open");
  }

  @Test
  @DisplayName("reservations: reserved, denied, settled, cancelled, renewed, ran out, failed")
  void reserved() {
    EntryLimit tokens = EntryLimit.of("tpm", FIVE);
    try (LettuceRateLimiters limiters = metered(patient());
        LettuceRateLimiters failing = metered(hasty().deadline(Duration.ofSeconds(2)))) {
      Reservations calls = limiters.reservations("llm", HOUR);
      Reservation settled = calls.reserve(SUBJECT, tokens.reserve(2));
      Reservation cancelled = calls.reserve(SUBJECT, tokens.reserve(2));
      calls.reserve(SUBJECT, tokens.reserve(2));
      settled.renew(1);
      settled.settle(1);
      cancelled.cancel();
      Reservation lost = calls.reserve("2", tokens.reserve(1));
      try (RespConnection connection = server.connect()) {
        connection.call("FLUSHALL");
      }
      lost.settle(1);
      failing.awaitConnected(Duration.ofSeconds(30));
      Reservation unsettled = failing.reservations("llm", HOUR).reserve("3", tokens.reserve(1));
      server.stop();
      try {
        assertThatThrownBy(
                () -> failing.reservations("llm", HOUR).reserve(SUBJECT, tokens.reserve(1)))
            .isInstanceOf(NoDecisionException.class);
        unsettled.close();
      } finally {
        server.restart();
      }
      for (String once : List.of("denied", "settled", "cancelled", "renewed", "ran_out")) {
        assertThat(reservations("event", once, "failure", "none")).as(once).isEqualTo(1);
      }
      assertThat(reservations("reservations", "llm", "event", "reserved")).isEqualTo(4);
      for (String kind : List.of("failed", "undecided")) {
        assertThat(reservations("event", kind)).as(kind).isEqualTo(1);
        assertThat(reservations("event", kind, "failure", "none")).as(kind).isZero();
      }
      assertThat(reservations()).isEqualTo(11);
    }
  }

  @Test
  @DisplayName("a denial is an event of the current observation, an allowed call is none")
  void events() {
    List<Event> events = new ArrayList<>();
    ObservationRegistry observations = ObservationRegistry.create();
    observations.observationConfig().observationHandler(recording(events));
    try (LettuceRateLimiters limiters =
        LettuceRateLimiters.connect(
            server.url().toString(), patient().listener(new DenialEvents(observations)).build())) {
      RateLimiter api = limiters.limiter("events", FixedWindow.of(1, HOUR));
      Observation request = Observation.createNotStarted("request", observations);
      request.observe(() -> api.tryAcquire(SUBJECT));
      assertThat(events).isEmpty();
      request = Observation.createNotStarted("request", observations);
      request.observe(() -> api.tryAcquire(SUBJECT));
      EntryLimit one = EntryLimit.of("tpm", FixedWindow.of(1, HOUR));
      Observation.createNotStarted("request", observations)
          .observe(() -> limiters.reservations("llm", HOUR).reserve(SUBJECT, one.reserve(2)));
      api.tryAcquire(SUBJECT); // without an observation
    }
    assertThat(events).extracting(Event::getName).containsOnly("penstock.denied");
    assertThat(events)
        .extracting(Event::getContextualName)
        .containsExactly("penstock.denied by events", "penstock.denied by llm");
  }

  private static ObservationHandler<Observation.Context> recording(List<Event> events) {
    return new ObservationHandler<>() {
      @Override
      public boolean supportsContext(Observation.Context context) {
        return true;
      }

      @Override
      public void onEvent(Event event, Observation.Context context) {
        events.add(event);
      }
    };
  }

  @Test
  @DisplayName("no tag has a subject; the page and its dashboard have the meters that there are")
  void names() throws IOException {
    PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    CompositeMeterRegistry both = new CompositeMeterRegistry();
    both.add(registry);
    both.add(prometheus);
    try (LettuceRateLimiters limiters = metered(patient(), both)) {
      limiters.limiter("names", FIVE).tryAcquire(SUBJECT);
      limiters.limiter("names", FIVE).peek(SUBJECT);
      limiters
          .reservations("llm", HOUR)
          .reserve(SUBJECT, EntryLimit.of("tpm", FIVE).reserve(SUBJECT, 1));
    }
    LimiterMetrics metrics = new LimiterMetrics(both, Tags.of("limiters", "main"));
    metrics.onCircuitOpened("node");
    metrics.onVerdict(
        new VerdictChange("node", Verdict.SILENT, Verdict.UP, Duration.ofMinutes(1), null));
    List<Meter.Id> meters = registry.getMeters().stream().map(Meter::getId).toList();
    assertThat(meters.stream().flatMap(id -> id.getTags().stream()).map(Tag::getValue))
        .isNotEmpty()
        .noneMatch(value -> value.contains(SUBJECT));
    String page = Files.readString(DOCS.resolve("metrics.md"));
    assertThat(meters)
        .extracting(Meter.Id::getName)
        .allMatch(name -> page.contains("`" + name + "`"));
    assertThat(matches("`(penstock\\.[a-z.]+)`", page))
        .containsExactlyInAnyOrderElementsOf(
            Stream.concat(
                    meters.stream().map(Meter.Id::getName),
                    Stream.of(
                        "penstock.denied", "penstock.policies.disabled", "penstock.policies.dry"))
                .collect(Collectors.toSet()));
    String scraped = prometheus.scrape();
    assertThat(matches("(penstock_[a-z_]+)", queries()))
        .hasSizeGreaterThan(3)
        .allSatisfy(name -> assertThat(scraped).contains("\n" + name));
  }

  private static Set<String> matches(String pattern, String text) {
    return Pattern.compile(pattern)
        .matcher(text)
        .results()
        .map((MatchResult found) -> found.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String queries() throws IOException {
    StringBuilder queries = new StringBuilder();
    String json = Files.readString(DOCS.resolve("metrics-dashboard.json"));
    for (JsonElement panel :
        JsonParser.parseString(json).getAsJsonObject().getAsJsonArray("panels")) {
      for (JsonElement target : panel.getAsJsonObject().getAsJsonArray("targets")) {
        queries.append(target.getAsJsonObject().get("expr").getAsString()).append('\n');
      }
    }
    return queries.toString();
  }
}
