package io.github.penstock.spring.configure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.penstock.core.MisconfiguredException;
import io.github.penstock.core.spi.connecting.ClientVersion;
import io.github.penstock.spring.control.PolicyMode;
import io.github.penstock.spring.control.PolicySwitches;
import io.github.penstock.spring.internal.actuate.PenstockEndpoint;
import io.github.penstock.spring.internal.actuate.PenstockEndpoint.ChangedLimit;
import io.github.penstock.spring.internal.client.MissingClientException;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.ServerProcess;
import io.lettuce.core.AbstractRedisClient;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.ReflectionHintsPredicates;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.http.HttpHeaders;
import org.springframework.web.server.ServerWebExchange;

/** What ends the start of an application, and what it says. */
@ExtendWith(OutputCaptureExtension.class)
class StartFailureTest {
  private static final WebApplicationContextRunner WITHOUT_CLIENT =
      new WebApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  PenstockAutoConfiguration.class, ServletPolicyAutoConfiguration.class));
  private static final WebApplicationContextRunner APPLICATION =
      WITHOUT_CLIENT.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class));

  @ParameterizedTest
  @DisplayName("a property that cannot be used is named, with the rule")
  @CsvSource(
      delimiter = '|',
      value = {
        "api.limit=token-bucket:100/1x | api.limit | at 17",
        "api.limit=leaky-bucket:1/1s | api.limit | cannot wait",
        "api.subject=ip | api.limit | either a limit or limits",
        "api.limits.a=fixed-window:1/1s | api.plan | need an expression",
        "api.limit=fixed-window:1/1s,api.subject=iip | api.subject | must be ip, user",
        "api.limit=fixed-window:1/1s,api.subject=header: | api.subject | must be ip, user",
        "api.limit=fixed-window:1/1s,api.subject=#{a b} | api.subject | more data",
        "api.limit=fixed-window:1/1s,api.cost=0 | api.cost | whole number",
        "api.limit=fixed-window:1/1s,api.cost=1000000000001 | api.cost | whole number",
        "api.limit=fixed-window:1/1s,api.skip-if=true | api.skip-if | must be an expression",
        "api.limit=fixed-window:1/1s,api.paths=login | api.paths | begin with a slash",
        "api.limit=fixed-window:1/1s,api.paths=/{a | api.paths | pattern",
        "api.limit=fixed-window:1/1s,api.exclude=login | api.exclude | begin with a slash",
        "api.limit=fixed-window:1/1s,api.methods=GTE | api.methods | GTE",
        "api.limit=fixed-window:1/1s,api.deadline=2h | api.deadline | 1 hour",
        "api.limits.a=fixed-window:1/1x,api.plan=#{1} | api.limits.a | at 15",
        "api.limit=fixed-window:1/1s,api.leases.most=1 | api.leases.most | most must be",
        "api.limit=fixed-window:1/1s,api.leases.at-most=1s | api.leases.most | most must be",
        "api.limit=fixed-window:1/1s,api.leases.most=9,api.leases.at-most=2h | api.leases.at-most | 1 hour",
        "api.limit=fixed-window:1/1s,api.at=method,api.cost=2 | api.limit | at: method must have",
        "api.limit=fixed-window:1/1s,api.at=method,api.paths=/a | api.limit | at: method must have",
        "api.limit=fixed-window:1/1s,api.at=gateway,api.subject=ip | api.limit | at: gateway must",
        "api.limit=fixed-window:1/1s,api.at=handler,api.paths=a | api.paths | begin with a slash",
        "api.limits.a=unlimited,api.plan=#{1} | api.limits | one plan must have a limit",
        "api.limit=unlimited | api.limit | at 0",
        "api.limits.a=fixed-window:1/1s,api.limits.b=none,api.plan=#{1} | api.limits.b | \"none\" could be no limit",
        "api.limit=fixed-window:1/1s,api.also=apis | api.also | must be the name of a policy at: also",
        "api.limit=fixed-window:1/1s,api.also=apis,apis.limit=fixed-window:1/1s | api.also | must be the name",
        "api.limit=fixed-window:1/1s,api.also=api | api.also | must be the name of a policy at: also",
        "api.limit=fixed-window:1/1s,api.at=also | api.at | no policy names it",
        "api.limit=fixed-window:1/1s,api.also=apis,apis.limit=fixed-window:1/1s,apis.at=also,apis.deadline=1s | apis.at | a policy at: also has",
        "api.limit=fixed-window:1/1s,api.also=apis,api.leases.most=9,apis.limit=fixed-window:1/1s,apis.at=also | api.leases | cannot be leased",
        "api.limit=fixed-window:1/1s,api.charge-when=status 401,api.leases.most=9 | api.leases | cannot be leased",
        "api.limit=fixed-window:1/1s,api.charge-when=401 | api.charge-when | must be \"status\" and",
        "api.limit=fixed-window:1/1s,api.charge-when=status 4x1 | api.charge-when | must be \"status\" and",
        "api.limit=fixed-window:1/1s,api.charge-when=status 401; 403 | api.charge-when | must be \"status\" and",
        "api.limit=fixed-window:1/1s,api.charge-when=status 600 | api.charge-when | must be \"status\" and",
        "api.limit=fixed-window:1/1s,api.charge-when= | api.charge-when | must be \"status\" and",
        "api.limit=fixed-window:1/1s,api.at=method,api.charge-when=status 401 | api.charge-when | a method has no",
        "api.limit=interval-bucket:1/1s,api.charge-when=status 401 | api | a fixed or a sliding window",
        "api.limit=fixed-window:1/1s,api.also=apis,api.charge-when=status 401,apib.limit=fixed-window:1/1s,apib.also=apis,apis.limit=fixed-window:1/1s,apis.at=also | apis.at | two counts",
        "api.limit=fixed-window:1/1s,api.also=apis,api.at=method,apis.limit=fixed-window:1/1s,apis.at=also,apis.cost=#{2} | api.also | no cost but a number",
      })
  void properties(String values, String property, String rule) {
    String[] pairs = values.split(",(?=api)");
    for (int i = 0; i < pairs.length; i++) {
      pairs[i] = "penstock.policies." + pairs[i];
    }
    APPLICATION
        .withPropertyValues(pairs)
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .hasStackTraceContaining("penstock.policies." + property + ": ")
                    .hasStackTraceContaining(rule));
  }

  @ParameterizedTest
  @DisplayName("what is mistyped ends the start")
  @CsvSource({
    "penstock.policies.api.limt=fixed-window:1/1s, limt",
    "penstock.policies.api.on-unavailable=alow, alow",
    "penstock.policies.api.at=filtre, filtre",
    "penstock.policies.api.leases.mots=100, mots",
    "penstock.on-unavailabel=allow, on-unavailabel",
    "penstock.deadline=0, penstock.deadline",
    "penstock.startup-wait=-1s, penstock.startup-wait",
    "penstock.enabled=flase, flase",
    "penstock.enabled=, null value",
    "penstock.policies.api.dry-run=, null value",
    "penstock.enabeld=false, enabeld",
    "penstock.policies.api.enabled=offf, offf",
    "penstock.policies.api.dry-run=ja, ja",
    "penstock.client=letuce, letuce"
  })
  void mistyped(String property, String named) {
    APPLICATION
        .withPropertyValues("penstock.policies.api.limit=fixed-window:1/1s", property)
        .run(context -> assertThat(context.getStartupFailure()).hasStackTraceContaining(named));
  }

  @Test
  @DisplayName(
      "without a client, or without the one that is named, the start fails and says what to add")
  void clients() {
    WITHOUT_CLIENT.run(
        context ->
            assertThat(context.getStartupFailure())
                .rootCause()
                .isInstanceOfSatisfying(
                    MissingClientException.class,
                    missing ->
                        assertThat(missing.action()).contains("spring-boot-starter-data-redis")));
    APPLICATION
        .withPropertyValues("penstock.client=redisson")
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .rootCause()
                    .isInstanceOf(MissingClientException.class)
                    .hasMessageContaining("REDISSON"));
  }

  @Test
  @DisplayName("a client that is too old is named, with the version to set")
  void tooOld() {
    IllegalStateException old =
        catchThrowableOfType(
            IllegalStateException.class,
            () ->
                ClientVersion.require(
                    "Jedis 8.0.0",
                    "<jedis.version>8.0.2</jedis.version>",
                    List.class,
                    "none.Such"));
    FailureAnalysis analysis =
        new StartFailureAnalyzer(new StandardEnvironment()).analyze(new RuntimeException(old));
    assertThat(analysis.getDescription()).contains("Jedis 8.0.0", "<jedis.version>8.0.2");
  }

  @ParameterizedTest
  @DisplayName("a Boot that is too old ends the start with a sentence; no other does")
  @CsvSource({"3.5.7, true", "2.7.18, true", "4.0.0-M1, false", "4.1.1, false", "10.0.0, false"})
  void bootVersions(String version, boolean old) {
    Throwable thrown = catchThrowable(() -> BootVersionCheck.check(version));
    if (!old) {
      assertThat(thrown).isNull();
      return;
    }
    FailureAnalysis analysis = new StartFailureAnalyzer(new StandardEnvironment()).analyze(thrown);
    assertThat(analysis.getDescription())
        .startsWith("Penstock needs Spring Boot 4.0 or newer for its starter, and " + version);
  }

  @Test
  @DisplayName("the log points at the line of the file")
  void line(CapturedOutput output) {
    assertThatThrownBy(
            () ->
                new SpringApplication(EmptyApplication.class)
                    .run("--spring.config.name=wrong", "--server.port=0"))
        .isNotNull();
    assertThat(output)
        .contains("APPLICATION FAILED TO START")
        .contains("penstock.policies.api.limit: limit \"token-bucket:100/1x\" at 17")
        .contains("[wrong.yaml] - 4:14")
        .contains("Correct the property penstock.policies.api.limit.");
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class EmptyApplication {}

  @Test
  @DisplayName("a password that is wrong ends the start; a server that is down does not")
  void startupWait() {
    try (ServerProcess redis = new EmbeddedServer().start()) {
      redis.call("CONFIG", "SET", "requirepass", "right");
      APPLICATION
          .withPropertyValues(
              "spring.data.redis.port=" + redis.url().port(), "spring.data.redis.password=wrong")
          .run(
              context ->
                  assertThatThrownBy(() -> context.getBean(ApplicationRunner.class).run(null))
                      .isInstanceOf(MisconfiguredException.class));
    }
    APPLICATION
        .withPropertyValues("spring.data.redis.port=1", "penstock.startup-wait=300ms")
        .run(context -> context.getBean(ApplicationRunner.class).run(null));
  }

  @Test
  @DisplayName("below a path of Actuator that is the root nothing is excluded")
  void actuatorAtTheRoot() {
    APPLICATION
        .withPropertyValues(
            "penstock.policies.api.limit=fixed-window:1/1s", "management.endpoints.web.base-path=/")
        .run(context -> assertThat(actuators(context)).isEmpty());
    APPLICATION.run(
        context -> assertThat(actuators(context)).isEqualTo(List.of("/actuator", "/actuator/**")));
  }

  @Test
  @DisplayName("the endpoint is off, also where all are exposed, until it is switched on")
  void endpoint() {
    WebApplicationContextRunner exposed =
        APPLICATION
            .withConfiguration(AutoConfigurations.of(EndpointAutoConfiguration.class))
            .withPropertyValues("management.endpoints.web.exposure.include=*");
    exposed.run(context -> assertThat(context).doesNotHaveBean(PenstockEndpoint.class));
    exposed
        .withPropertyValues("management.endpoint.penstock.access=READ_ONLY")
        .run(context -> assertThat(context).hasSingleBean(PenstockEndpoint.class));
  }

  @Test
  @DisplayName("a policy that nothing asks ends the start")
  void unasked() {
    WITHOUT_CLIENT
        .withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class))
        .withPropertyValues(
            "penstock.policies.api.limit=fixed-window:1/1s", "penstock.policies.api.at=gateway")
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .hasStackTraceContaining("api.at: nothing in this application asks"));
  }

  @Test
  @DisplayName("a native image knows what is called by its name")
  void hints() {
    RuntimeHints hints = new RuntimeHints();
    new NativeHints().registerHints(hints, getClass().getClassLoader());
    ReflectionHintsPredicates reflection = RuntimeHintsPredicates.reflection();
    assertThat(
            reflection
                .onMethodInvocation(HttpServletRequest.class, "getHeader")
                .and(reflection.onMethodInvocation(ServerWebExchange.class, "getAttribute"))
                .and(reflection.onMethodInvocation(HttpHeaders.class, "getFirst"))
                .and(reflection.onMethodInvocation(AbstractRedisClient.class, "getResources"))
                .and(reflection.onMethodInvocation(ChangedLimit.class, "limits")))
        .accepts(hints);
  }

  @ParameterizedTest
  @DisplayName("properties switch one policy or all")
  @CsvSource({
    "penstock.policies.api.dry-run=off, ENFORCED",
    "penstock.policies.api.dry-run=on, DRY_RUN",
    "penstock.policies.api.enabled=false, OFF",
    "penstock.enabled=false, OFF"
  })
  void switches(String property, PolicyMode mode) {
    APPLICATION
        .withPropertyValues("penstock.policies.api.limit=fixed-window:1/1s", property)
        .run(
            context ->
                assertThat(context.getBean(PolicySwitches.class).mode("api")).isEqualTo(mode));
  }

  @Test
  @DisplayName("an application whose policies are all off does not wait for Redis")
  void offWithoutRedis() {
    APPLICATION
        .withPropertyValues(
            "spring.data.redis.port=1", "penstock.startup-wait=1h", "penstock.enabled=false")
        .run(context -> context.getBean(ApplicationRunner.class).run(null));
  }

  @Test
  @DisplayName("the endpoint changes no limit until that is switched on")
  void changes() {
    WebApplicationContextRunner endpoint =
        APPLICATION
            .withConfiguration(AutoConfigurations.of(EndpointAutoConfiguration.class))
            .withPropertyValues(
                "management.endpoints.web.exposure.include=*",
                "management.endpoint.penstock.access=UNRESTRICTED",
                "penstock.policies.api.limit=fixed-window:1/1s");
    endpoint.run(context -> assertThat(change(context)).isEqualTo("403 fixed-window:1/1s"));
    endpoint
        .withPropertyValues("penstock.change-limits=true")
        .run(context -> assertThat(change(context)).isEqualTo("200 fixed-window:2/1s"));
  }

  private static String change(ApplicationContext context) {
    int status =
        context
            .getBean(PenstockEndpoint.class)
            .change("api", "fixed-window:2/1s", null, false, null)
            .getStatus();
    assertThat(context.getBean(PolicySwitches.class).position("api").enabled())
        .isEqualTo(status == 403);
    return status + " " + context.getBean(PolicyRegistry.class).of("api").of(null).limit();
  }

  private static List<String> actuators(ApplicationContext context) {
    PolicyAssembler<?> assembler = context.getBean(PolicyAssembler.class);
    return assembler.actuators();
  }
}
