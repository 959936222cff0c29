package io.github.penstock.compat.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.penstock.compat.load.CallLoad;
import io.github.penstock.compat.load.ConcurrentRun;
import io.github.penstock.compat.load.LoadCall;
import io.github.penstock.compat.near.AwaitedLimiters;
import io.github.penstock.compat.near.SuiteClient;
import io.github.penstock.compat.result.CaseResultFile;
import io.github.penstock.compat.result.ChoiceResult;
import io.github.penstock.core.AcquiredUnits;
import io.github.penstock.core.AsyncRateLimiters;
import io.github.penstock.core.Decision;
import io.github.penstock.core.DecisionSource;
import io.github.penstock.core.NoDecisionException;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.Usage;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.testkit.topology.ServerEndpoint;
import io.github.penstock.testkit.topology.ServerEvents;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Compares the calls of one client, blocking and asynchronous, with their expected end under each
 * choice. Each choice and form has a client of its own.
 */
final class FailureCheck implements AutoCloseable {
  /** A subject that has some of the words by which errors are classified. */
  static final String WORDS = "LOADING READONLY OOM NOAUTH WRONGPASS NOPERM";

  /** That of {@code failures.json}. */
  static final Limit LIMIT = FixedWindow.of(1_000, Duration.ofHours(1));

  /** The calls of each client until it is ready. */
  static final int READY = 20;

  private static final List<String> FOR_UNITS = List.of("acquire", "up_to", "all");
  private static final Duration MORE = Duration.ofSeconds(20);
  private static final int UP_TO = 5;

  private record Caller(ScenarioChoice choice, RateLimiters limiters) {}

  private record PlannedCall(Caller caller, String verb, List<String> subjects) {
    boolean isForUnits() {
      return FOR_UNITS.contains(verb);
    }

    ScenarioChoice choice() {
      return isForUnits() ? caller.choice : ScenarioChoice.THROW;
    }
  }

  private record EndedCall(PlannedCall plan, LoadCall call) {}

  private final PublishedFailures told = new PublishedFailures();
  private final List<Caller> callers = new ArrayList<>();
  private final SuiteClient client;
  private final String failure;
  private final ExpectedAnswer answer;
  private final String policy;
  private final String subject;
  private final List<String> verbs;

  /** The calls of a scenario. */
  FailureCheck(SuiteClient client, FailureScenario scenario, ExpectedAnswer answer) {
    this(client, scenario.name(), answer, scenario.policy(), scenario.subject(), scenario.calls());
  }

  /** All calls for units. */
  FailureCheck(SuiteClient client, String failure, ExpectedAnswer answer) {
    this(client, failure, answer, "failures", WORDS, FOR_UNITS);
  }

  private FailureCheck(
      SuiteClient client,
      String failure,
      ExpectedAnswer answer,
      String policy,
      String subject,
      List<String> verbs) {
    this.client = client;
    this.failure = failure;
    this.answer = answer;
    this.policy = policy;
    this.subject = subject;
    this.verbs = verbs;
  }

  /** Fails unless calls end as they must. */
  void of(FailureCaseContext scene) throws Exception {
    connect(scene.endpoint());
    if (scene.beginning() == null) {
      start(scene.endpoint());
    } else {
      ready();
      scene.beginning().run();
      awaitFirst();
    }
    check(any -> {});
  }

  /** Makes the clients, and returns their number. */
  int connect(ServerEndpoint endpoint) {
    for (ScenarioChoice choice : FailureScenario.choices()) {
      callers.add(new Caller(choice, connect(endpoint, choice)));
      if (callers.get(callers.size() - 1).limiters instanceof AsyncRateLimiters) {
        callers.add(new Caller(choice, AwaitedLimiters.of(connect(endpoint, choice))));
      }
    }
    return callers.size();
  }

  private RateLimiters connect(ServerEndpoint endpoint, ScenarioChoice choice) {
    return client.connector().connect(endpoint, options(choice));
  }

  private RateLimiterOptions options(ScenarioChoice choice) {
    return choice.options(answer.deadline()).toBuilder().listener(told).build();
  }

  /** Returns once the server decides calls of each client, in a cluster on all nodes. */
  void ready() throws Exception {
    ConcurrentRun.each(
        callers.size(),
        READY,
        (number, one) -> {
          RateLimiter limiter = callers.get(number).limiters.limiter("ready", LIMIT);
          ServerEvents.await("a decision")
              .ignoreExceptions()
              .until(() -> limiter.tryAcquire(unique()).enforced());
          return one;
        });
  }

  private static String unique() {
    return UUID.randomUUID().toString();
  }

  /**
   * A failure before the first decision appears when a service starts, or is thrown if that was
   * chosen; an outage after the first attempt to connect.
   */
  void start(ServerEndpoint endpoint) {
    RateLimiterOptions strict =
        options(ScenarioChoice.ALLOW).toBuilder().throwUntilFirstDecision(true).build();
    try (RateLimiters limiters = client.connector().connect(endpoint, strict)) {
      ServerEvents.await("a start that ends with " + answer)
          .atMost(answer.deadline().plus(MORE))
          .untilAsserted(
              () -> {
                Throwable thrown = catchThrowable(() -> limiters.awaitConnected(answer.deadline()));
                assertThat(thrown).matches(answer::isOfKind, "ends with " + answer);
                told.add(thrown);
              });
      CallLoad.expectNone(
          "did not throw before the first decision",
          verbs.stream()
              .flatMap(verb -> make(planned(new Caller(ScenarioChoice.THROW, limiters), verb)))
              .map(EndedCall::call)
              .toList(),
          call -> !call.failed());
    }
    if (answer.mayBeOutage()) {
      awaitFirst();
    }
  }

  private void awaitFirst() {
    for (Caller caller : callers) {
      ServerEvents.await("the first call that ends with " + answer)
          .atMost(answer.deadline().plus(MORE))
          .until(
              () ->
                  makeAll(verbs.stream().map(verb -> planned(caller, verb)).toList()).stream()
                      .anyMatch(this::fits));
    }
  }

  /**
   * Makes the calls, all at once.
   *
   * @param before is done before the calls of each subject
   * @return the subjects of calls for units, and what each of these calls costs
   */
  Map<String, Long> check(Consumer<String> before) throws Exception {
    List<PlannedCall> plans =
        callers.stream()
            .flatMap(caller -> verbs.stream().map(verb -> planned(caller, verb)))
            .toList();
    plans.forEach(plan -> plan.subjects.forEach(before));
    int toldBefore = told.count();
    List<EndedCall> ended = makeAll(plans);
    keep(ended);
    assertThat(ended).allMatch(this::fits, "end with " + answer);
    assertThat(ended.stream().map(EndedCall::call).map(LoadCall::failure))
        .filteredOn(NoDecisionException.class::isInstance)
        .allSatisfy(
            outage -> assertThat(outage).hasMessageContaining("policy " + policy + ", key "));
    assertThat(told.count() - toldBefore)
        .as("failures of which a listener was told")
        .isEqualTo(ended.stream().filter(one -> isUndecided(one.call)).count());
    told.checkSecret(FailureCaseContext.SECRET);
    Map<String, Long> charges = new HashMap<>();
    for (PlannedCall plan : plans) {
      long units = plan.verb.equals("up_to") ? UP_TO : 1;
      plan.subjects.stream()
          .filter(any -> plan.isForUnits())
          .forEach(each -> charges.put(each, units));
    }
    return charges;
  }

  private boolean fits(EndedCall ended) {
    Decision decision = ended.call.decision();
    return answer.fits(ended.call, ended.plan.choice())
        && (decision == null || decision.limit() == LIMIT.tiers().get(0).capacity())
        && (!ended.plan.isForUnits() || answer.tellsCharge(ended.call));
  }

  private PlannedCall planned(Caller caller, String verb) {
    List<String> subjects =
        Stream.generate(() -> subject + " #" + unique()).limit(verb.equals("all") ? 2 : 1).toList();
    return new PlannedCall(caller, verb, subjects);
  }

  private List<EndedCall> makeAll(List<PlannedCall> plans) throws Exception {
    return ConcurrentRun.each(plans.size(), 1, (number, one) -> make(plans.get(number)).toList())
        .stream()
        .flatMap(List::stream)
        .toList();
  }

  private Stream<EndedCall> make(PlannedCall plan) {
    RateLimiter limiter = plan.caller.limiters.limiter(policy, LIMIT);
    Stream<Supplier<Decision>> calls =
        plan.verb.equals("all")
            ? limiter.tryAcquireAll(plan.subjects).stream().map(outcome -> outcome::decision)
            : Stream.of(() -> decided(limiter, plan.verb, plan.subjects.get(0)));
    return calls.map(call -> new EndedCall(plan, LoadCall.make(plan.verb, any -> call.get())));
  }

  private static Decision decided(RateLimiter limiter, String verb, String subject) {
    return switch (verb) {
      case "acquire" -> limiter.tryAcquire(subject);
      case "up_to" -> all(limiter.tryAcquireUpTo(subject, UP_TO));
      case "peek" -> decided(limiter.peek(subject));
      case "refund" -> decided(limiter.refund(subject, 1));
      case "reset" -> decided(limiter.reset(subject));
      default -> throw new IllegalArgumentException(verb);
    };
  }

  private static Decision all(AcquiredUnits acquired) {
    assertThat(acquired.units()).isIn(0L, (long) UP_TO);
    return acquired.decision();
  }

  private static Decision decided(Usage usage) {
    return new Decision(
        true, usage.limit(), usage.remaining(), 0, 0, usage.tier(), DecisionSource.SERVER);
  }

  /* For the page of all clients: how calls under OnUnavailable.ALLOW ended. */
  private void keep(List<EndedCall> ended) {
    keep(
        client,
        Character.toUpperCase(failure.charAt(0)) + failure.substring(1),
        ended.stream()
            .filter(one -> one.plan.isForUnits() && one.plan.caller.choice.isOpen())
            .map(EndedCall::call)
            .toList());
  }

  /** Keeps for the page of all clients how calls that are allowed in an outage ended. */
  static void keep(SuiteClient client, String failure, List<LoadCall> calls) {
    long open = calls.stream().filter(FailureCheck::isOpen).count();
    long thrown = calls.stream().filter(LoadCall::failed).count();
    long admitted = calls.stream().filter(LoadCall::admitted).count();
    long denied = calls.size() - open - thrown - admitted;
    CaseResultFile.keep(
        new ChoiceResult(client.name(), failure, calls.size(), open, denied, thrown));
  }

  /** Returns whether a call was allowed though no server decided it. */
  static boolean isOpen(LoadCall call) {
    return call.decision() != null && isOpen(call.decision());
  }

  /** Returns whether a decision allows a call though no server made it. */
  static boolean isOpen(Decision decision) {
    return decision.allowed() && !decision.enforced();
  }

  private static boolean isUndecided(LoadCall call) {
    return call.decision() == null || !call.decision().enforced();
  }

  @Override
  public void close() {
    callers.forEach(caller -> caller.limiters.close());
  }
}
