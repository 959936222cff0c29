package io.github.penstock.compat.failure;

import static io.github.penstock.compat.failure.FailureCaseContext.SECRET;

import io.github.penstock.testkit.resp.RedisUrl;
import io.github.penstock.testkit.topology.SentinelGroup;
import io.github.penstock.testkit.topology.ServerEndpoint;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/** A way in which calls fail that is not of {@code failures.json}, and their expected end. */
enum FailureRow {
  ROTATED_PASSWORD(ExpectedAnswer.THROWN, FailureCaseContext::rotatedPassword),
  PASSWORD_THAT_IS_ECHOED(
      ExpectedAnswer.THROWN, () -> FailureCaseContext.without(SECRET, "AUTH", "HELLO")),
  SUBJECT_THAT_IS_ECHOED(
      ExpectedAnswer.THROWN, () -> FailureCaseContext.without(null, "EVALSHA", "EVAL")),
  CLUSTER_URI_TO_A_SINGLE_SERVER(
      ExpectedAnswer.THROWN,
      () -> FailureCaseContext.connected(url -> new ServerEndpoint.Cluster(List.of(url)))),
  SENTINEL_URI_TO_A_SINGLE_SERVER(
      ExpectedAnswer.THROWN,
      () ->
          FailureCaseContext.connected(
              url -> new ServerEndpoint.Sentinel(SentinelGroup.MASTER_NAME, List.of(url)))),
  UNTRUSTED_CERTIFICATE(ExpectedAnswer.THROWN, () -> FailureCaseContext.tls(true)),
  TLS_TO_A_PLAIN_PORT(
      ExpectedAnswer.THROWN_OR_OUTAGE,
      () -> FailureCaseContext.connected(url -> new ServerEndpoint.Single(url, true))),
  TLS_TO_A_PLAIN_PORT_THAT_ANSWERS(ExpectedAnswer.THROWN, FailureCaseContext::fullOfClients),
  PLAIN_TO_A_TLS_PORT(ExpectedAnswer.OUTAGE, FailureCaseContext::resets),
  PLAIN_TO_A_TLS_PORT_THAT_SENDS_AN_ALERT(
      ExpectedAnswer.THROWN, () -> FailureCaseContext.tls(false)),
  HTTP_SERVER(ExpectedAnswer.NO_OUTAGE, FailureCaseContext::http),
  UNKNOWN_HOST(
      ExpectedAnswer.NOT_SENT,
      () -> FailureCaseContext.at(new RedisUrl("penstock.invalid", 6379, null, null, 0)));

  private static final List<String> ACRONYMS = List.of("TLS", "URI", "HTTP");

  private final ExpectedAnswer answer;
  private final Supplier<FailureCaseContext> scene;

  FailureRow(ExpectedAnswer answer, Supplier<FailureCaseContext> scene) {
    this.answer = answer;
    this.scene = scene;
  }

  ExpectedAnswer answer() {
    return answer;
  }

  /** The row as readers get to see it. */
  String text() {
    String words =
        name().charAt(0) + name().substring(1).toLowerCase(Locale.ROOT).replace('_', ' ');
    for (String acronym : ACRONYMS) {
      words = words.replaceAll("(?i)\\b" + acronym + "\\b", acronym);
    }
    return words;
  }

  FailureCaseContext open() {
    return scene.get();
  }
}
