package io.github.penstock.compat.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.penstock.compat.load.CallLoad;
import io.github.penstock.compat.load.ConcurrentRun;
import io.github.penstock.compat.load.LoadCall;
import io.github.penstock.compat.near.SuiteClient;
import io.github.penstock.compat.script.SubjectKey;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.testkit.topology.ServerEndpoint;
import io.github.penstock.testkit.topology.ServerEvents;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Compares the calls of one client with the expectation of a scene, under each choice. */
final class FailureCheck {
  /** Every choice for an outage. */
  static final List<OnUnavailable> CHOICES =
      List.of(OnUnavailable.ALLOW, OnUnavailable.DENY, OnUnavailable.THROW);

  private final PublishedFailures told = new PublishedFailures();
  private final SuiteClient client;
  private final String failure;
  private final ExpectedAnswer answer;

  FailureCheck(SuiteClient client, String failure, ExpectedAnswer answer) {
    this.client = client;
    this.failure = failure;
    this.answer = answer;
  }

  /** Fails unless calls end as they must, in each form. */
  void of(FailureCaseContext scene) throws Exception {
    List<ChoiceCalls> all = new ArrayList<>();
    try {
      for (OnUnavailable choice : CHOICES) {
        all.add(new ChoiceCalls(choice, connect(scene.endpoint(), choice)));
      }
      if (scene.beginning() != null) {
        for (ChoiceCalls calls : all) {
          calls.expectDecisions();
        }
        scene.beginning().run();
        all.forEach(calls -> calls.awaitFirst(answer));
      } else {
        checkStart(scene);
        if (answer.mayBeOutage()) {
          all.forEach(calls -> calls.awaitFirst(answer));
        }
      }
      ConcurrentRun.each(all.size(), 1, (number, one) -> checkCalls(all.get(number)));
      told.checkSecret(FailureCaseContext.SECRET);
    } finally {
      all.forEach(calls -> calls.limiters().close());
    }
  }

  private List<LoadCall> checkCalls(ChoiceCalls calls) throws Exception {
    List<LoadCall> made = calls.make(ChoiceCalls.SUBJECTS);
    if (calls.choice() == OnUnavailable.ALLOW) {
      ChoiceCalls.keep(client, failure, made);
    }
    CallLoad.expectNone(
        "did not end as %s under %s".formatted(answer, calls.choice()),
        made,
        call -> !answer.fits(call, calls.choice()));
    return made;
  }

  /*
   * A failure before the first decision appears when a service starts, or is thrown if that was
   * chosen; an outage after the first attempt to connect.
   */
  private void checkStart(FailureCaseContext scene) throws Exception {
    RateLimiterOptions strict =
        options(OnUnavailable.ALLOW).toBuilder().throwUntilFirstDecision(true).build();
    try (RateLimiters limiters = client.connector().connect(scene.endpoint(), strict)) {
      ServerEvents.await("a start that ends with " + answer)
          .atMost(answer.deadline().plusSeconds(6))
          .untilAsserted(
              () -> {
                Throwable thrown = catchThrowable(() -> limiters.awaitConnected(answer.deadline()));
                assertThat(thrown).matches(answer::fitsStart, "ends with " + answer);
                told.add(thrown);
              });
      CallLoad.expectNone(
          "did not throw before the first decision",
          new ChoiceCalls(OnUnavailable.ALLOW, limiters).make(ChoiceCalls.SUBJECTS),
          call -> !call.failed());
    }
  }

  /** Connects with this choice for an outage. */
  RateLimiters connect(ServerEndpoint endpoint, OnUnavailable choice) {
    return client.connector().connect(endpoint, options(choice));
  }

  private RateLimiterOptions options(OnUnavailable choice) {
    return options(choice, answer.deadline()).toBuilder().listener(told).build();
  }

  /** Options under which each call asks. */
  static RateLimiterOptions options(OnUnavailable choice, Duration deadline) {
    return RateLimiterOptions.builder()
        .prefix(SubjectKey.PREFIX)
        .rememberDenials(Duration.ZERO)
        .deadline(deadline)
        .onUnavailable(choice)
        .build();
  }
}
