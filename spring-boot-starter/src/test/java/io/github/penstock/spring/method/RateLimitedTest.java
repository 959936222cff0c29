package io.github.penstock.spring.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.spring.configure.MethodPolicyAutoConfiguration;
import io.github.penstock.spring.configure.PenstockAutoConfiguration;
import io.github.penstock.spring.method.MethodServices.PrintService;
import io.github.penstock.spring.method.MethodServices.ScanService;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import reactor.core.publisher.Mono;

/** Methods of beans, on a real Redis. */
class RateLimitedTest {
  private static final Class<RateLimitedException> DENIED = RateLimitedException.class;
  private static ServerProcess redis;
  private static ApplicationContextRunner runner;
  private static ConfigurableApplicationContext context;
  private static PrintService prints;
  private static ScanService scans;

  @BeforeAll
  static void start() {
    redis = new EmbeddedServer().start();
    String[] properties = {
      "spring.data.redis.port=" + redis.url().port(),
      "penstock.deadline=30s",
      "penstock.policies.five.at=method",
      "penstock.policies.five.limit=fixed-window:5/1h",
      "penstock.policies.trial.at=method",
      "penstock.policies.trial.limit=fixed-window:1/1h",
      "penstock.policies.trial.dry-run=true",
      "penstock.policies.two.at=method",
      "penstock.policies.two.limit=fixed-window:2/1h",
      "penstock.policies.member.at=method",
      "penstock.policies.member.limit=fixed-window:4/1h",
      "penstock.policies.member.also=team",
      "penstock.policies.team.at=also",
      "penstock.policies.team.limit=fixed-window:10/1h",
      "penstock.policies.team.cost=3",
      "penstock.policies.requests.limit=fixed-window:2/1h"
    };
    runner =
        new ApplicationContextRunner()
            .withConfiguration(
                AutoConfigurations.of(
                    PenstockAutoConfiguration.class,
                    MethodPolicyAutoConfiguration.class,
                    DataRedisAutoConfiguration.class))
            .withPropertyValues(properties);
    AnnotationConfigApplicationContext own = new AnnotationConfigApplicationContext();
    TestPropertyValues.of(properties).applyTo(own);
    own.register(
        PenstockAutoConfiguration.class,
        MethodPolicyAutoConfiguration.class,
        DataRedisAutoConfiguration.class,
        MethodServices.class);
    own.refresh();
    context = own;
    prints = context.getBean(PrintService.class);
    scans = context.getBean(ScanService.class);
  }

  @AfterAll
  static void stop() {
    context.close();
    redis.close();
  }

  private static long used(String policy, String subject) {
    return 1_000_000
        - context
            .getBean(RateLimiters.class)
            .limiter(policy, FixedWindow.of(1_000_000, Duration.ofHours(1)))
            .peek(subject)
            .remaining();
  }

  private static String somebody() {
    return UUID.randomUUID().toString();
  }

  private static RateLimitedException denial(ThrowingCallable call) {
    return catchThrowableOfType(DENIED, call);
  }

  @Test
  @DisplayName(
      "a subject and a cost of the arguments; a denial has the decision, and no stack trace")
  void plain() {
    String id = somebody();
    assertThat(prints.print(id, List.of("a", "b", "c"))).startsWith("printed");
    int calls = prints.calls();
    RateLimitedException denied = denial(() -> prints.print(id, List.of("a", "b", "c")));
    assertThat(denied.policy()).isEqualTo("five");
    assertThat(denied.decision().remaining()).isEqualTo(2);
    assertThat(denied.status()).isEqualTo(429);
    assertThat(denied.getStackTrace()).isEmpty();
    assertThat(prints.calls()).isEqualTo(calls);
    assertThat(prints.print(id, List.of())).startsWith("printed");
    assertThat(used("five", "value:" + id)).as("a cost of 0 counts as 1").isEqualTo(4);
    assertThat(denial(() -> prints.print(somebody(), Collections.nCopies(6, "a"))).fields())
        .doesNotContainKey("Retry-After");
    assertThat(prints.free()).isEqualTo("free");
  }

  @Test
  @DisplayName("a dry run counts what is allowed, and denies no call")
  void dryRun() {
    String id = somebody();
    for (int i = 0; i < 3; i++) {
      assertThat(prints.trial(id)).isEqualTo("tried");
      assertThat(prints.trialLater(id).block()).isEqualTo("tried");
    }
    assertThat(used("trial", "value:" + id)).isEqualTo(1);
  }

  @Test
  @DisplayName("calls without a subject are one subject; a cost that throws is 1")
  void withoutSubject() {
    long before = used("five", "all");
    prints.print(null, List.of());
    prints.strip(null); // throws
    prints.strip("  ");
    assertThat(used("five", "all")).isEqualTo(before + 3);
    String id = somebody();
    prints.print(id, null);
    assertThat(used("five", "value:" + id)).isEqualTo(1);
  }

  @Test
  @DisplayName("several annotations, one on an annotation, one on a class and its method's")
  void annotations() {
    String id = somebody();
    prints.both(id);
    prints.both(id);
    assertThat(denial(() -> prints.both(id)).policy()).isEqualTo("two");
    assertThat(used("five", "value:" + id)).isEqualTo(3);
    prints.meta();
    assertThat(used("five", "value:meta")).isEqualTo(1);
    scans.scan();
    scans.scan();
    assertThatThrownBy(scans::scan).isInstanceOf(DENIED);
    assertThat(scans.inner()).isEqualTo("not public");
    long all = used("five", "all");
    scans.all();
    assertThat(used("five", "all")).isEqualTo(all + 1);
    assertThat(used("two", "value:class")).isEqualTo(2);
  }

  @Test
  @DisplayName("Mono and Flux ask for each subscription, not before")
  void reactive() {
    String id = somebody();
    Mono<Integer> mono = prints.mono(id);
    assertThat(used("two", "value:" + id)).isZero();
    int first = mono.block();
    assertThat(mono.block()).isEqualTo(first + 1);
    assertThatThrownBy(mono::block).isInstanceOf(DENIED);
    assertThat(prints.calls()).isEqualTo(first + 1);
    String other = somebody();
    assertThat(prints.flux(other).collectList().block()).containsExactly(1, 2, 3);
    assertThat(prints.flux(other).count().block()).isEqualTo(3);
    assertThatThrownBy(() -> prints.flux(other).count().block()).isInstanceOf(DENIED);
  }

  @Test
  @DisplayName(
      "a stage is asked for at once, and fails with the denial; it never runs on the client's thread")
  void stage() {
    String id = somebody();
    assertThat(prints.stage(id).toCompletableFuture().join()).doesNotStartWith("lettuce");
    prints.stage(id).toCompletableFuture().join();
    CompletionStage<String> denied = prints.stage(id);
    assertThatThrownBy(() -> denied.toCompletableFuture().join()).hasCauseInstanceOf(DENIED);
  }

  @Test
  @DisplayName("a second subject is charged with the first, at its own cost; none has one for all")
  void shared() {
    String id = somebody();
    String tenant = somebody();
    for (int i = 1; i <= 2; i++) {
      assertThat(prints.shared(id, tenant).toCompletableFuture().join()).isEqualTo("shared");
      assertThat(used("team", "value:" + tenant)).isEqualTo(3 * i);
    }
    assertThat(failure(prints.shared(id, tenant)).policy()).isEqualTo("member");
    assertThat(used("team", "value:" + tenant)).isEqualTo(6);
    prints.shared(somebody(), tenant).toCompletableFuture().join();
    assertThat(failure(prints.shared(somebody(), tenant)).policy()).isEqualTo("team");
    prints.shared(id, null).toCompletableFuture().join();
    assertThat(used("team", "all")).isEqualTo(3);
  }

  private static RateLimitedException failure(CompletionStage<?> stage) {
    return (RateLimitedException)
        catchThrowable(() -> stage.toCompletableFuture().join()).getCause();
  }

  @Test
  @DisplayName("what is set up wrong is a denial of status 503, blocking and reactive")
  void mistake() {
    String id = somebody();
    for (String policy : List.of("five", "two")) {
      redis.call("SADD", "penstock:" + policy + ":{value:" + id + "}:w3600000000", "wrong");
    }
    RateLimitedException denied = denial(() -> prints.strip(id));
    assertThat(denied.status()).isEqualTo(503);
    assertThat(denied.decision().enforced()).isFalse();
    assertThat(denial(() -> prints.mono(id).block()).status()).isEqualTo(503);
  }

  static class PrivateMethod {
    @RateLimited("five")
    private void hidden() {}
  }

  static class StaticMethod {
    @RateLimited("five")
    static void shared() {}
  }

  static class FinalMethod {
    @RateLimited("five")
    public final void last() {}
  }

  @RateLimited("five")
  static class FinalInClass {
    public final void last() {}
  }

  @RateLimited("five")
  static final class FinalClass {
    public void any() {}
  }

  static class UnknownPolicy {
    @RateLimited("six")
    public void any() {}
  }

  static class PolicyOfRequests {
    @RateLimited("requests")
    public void any() {}
  }

  static class WrongExpression {
    @RateLimited(policy = "five", subject = "#a b")
    public void any() {}
  }

  static class WithoutAlso {
    @RateLimited(policy = "member", subject = "#a")
    public void any(String a) {}
  }

  static class NeedlessAlso {
    @RateLimited(policy = "five", also = "#a")
    public void any(String a) {}
  }

  @Test
  @DisplayName("what no proxy can see, a policy that is none and a wrong expression end the start")
  void starts() {
    for (Class<?> type :
        List.of(
            PrivateMethod.class,
            StaticMethod.class,
            FinalMethod.class,
            FinalInClass.class,
            FinalClass.class,
            UnknownPolicy.class,
            PolicyOfRequests.class,
            WithoutAlso.class,
            NeedlessAlso.class,
            WrongExpression.class)) {
      runner
          .withBean(type)
          .run(
              started ->
                  assertThat(started.getStartupFailure())
                      .as(type.getSimpleName())
                      .hasStackTraceContaining("@RateLimited of "));
    }
    runner
        .withPropertyValues("penstock.policies.five.paths=/a")
        .run(
            started ->
                assertThat(started.getStartupFailure())
                    .hasStackTraceContaining("penstock.policies.five.limit: a policy at: method"));
  }

  @Test
  @DisplayName("without Spring MVC, WebFlux, Jedis, Redisson and Micrometer the rest works")
  void withoutOptional() {
    runner
        .withClassLoader(
            new FilteredClassLoader(
                "org.springframework.web",
                "jakarta.servlet",
                "redis.clients",
                "org.redisson",
                "io.micrometer.core"))
        .withBean(PrintService.class)
        .run(
            started ->
                assertThat(started.getBean(PrintService.class).strip(somebody())).isNotEmpty());
  }
}
