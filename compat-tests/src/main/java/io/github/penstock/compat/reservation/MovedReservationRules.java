package io.github.penstock.compat.reservation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.compat.load.LoadTest;
import io.github.penstock.compat.near.ClientRules;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.reserve.EntryLimit;
import io.github.penstock.core.reserve.Reservation;
import io.github.penstock.core.reserve.Reservations;
import io.github.penstock.core.reserve.SettleResult;
import io.github.penstock.testkit.resp.RespConnection;
import io.github.penstock.testkit.resp.RespError;
import io.github.penstock.testkit.server.TestServer;
import io.github.penstock.testkit.topology.ClusterDeployment;
import io.github.penstock.testkit.topology.RedisDeployment;
import io.github.penstock.testkit.topology.SentinelGroup;
import io.github.penstock.testkit.topology.ServerEvents;
import io.github.penstock.testkit.topology.SharedDeployments;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Reservations whose keys go to another server. */
public abstract class MovedReservationRules extends ClientRules {
  private final EntryLimit tokens = EntryLimit.of(UUID.randomUUID().toString(), HoldingRules.MANY);
  private final String key = HoldingRules.key(tokens, HoldingRules.GROUP);

  @Test
  @ResourceLock(SharedDeployments.CLUSTER)
  @DisplayName("while their slot moves, TRYAGAIN is asked again, and the call is charged once")
  void slotMoves() {
    ClusterDeployment cluster = SharedDeployments.cluster();
    try (RateLimiters limiters = connect(cluster)) {
      Reservations calls = limiters.reservations("llm", HoldingRules.DAY);
      Reservation first = reserved(calls);
      TestServer from = cluster.owner(key);
      TestServer to = cluster.next(from);
      CompletableFuture<?>[] moving = new CompletableFuture<?>[1];
      cluster.moveSlot(
          key,
          () -> {
            if (moving[0] == null) {
              assertThat(answerFor(from, key, key + ".new")).startsWith("TRYAGAIN");
              moving[0] =
                  CompletableFuture.supplyAsync(
                      () -> calls.reserve(HoldingRules.GROUP, tokens.reserve(30)));
            } else if (cluster.owner(key) == from) {
              assertThat(moving[0]).as("it waits for the move").isNotDone();
            }
          });
      Reservation second = (Reservation) moving[0].join();
      assertThat(second.allowed() && second.enforced()).isTrue();
      assertThat(HoldingRules.stored(to, key)).endsWith(70L);
      assertThat(first.settle(1)).isEqualTo(SettleResult.SETTLED);
      assertThat(second.settle(2)).isEqualTo(SettleResult.SETTLED);
      assertThat(HoldingRules.stored(to, key)).element(HoldingRules.TIMES).isEqualTo(3L);
    }
  }

  @LoadTest
  @Test
  @ResourceLock(SharedDeployments.SENTINEL)
  @DisplayName("after a failover the replica settles what the primary held")
  void failover() {
    SentinelGroup group = SharedDeployments.sentinel();
    try (RateLimiters limiters = connect(group)) {
      Reservation call = reserved(limiters.reservations("llm", HoldingRules.DAY));
      group.awaitReplication();
      TestServer promoted = group.failover();
      Reservations probes = limiters.reservations("probes", HoldingRules.DAY);
      String probed = HoldingRules.key(tokens, "probe");
      ServerEvents.await("calls on the new primary")
          .ignoreExceptions()
          .until(
              () -> {
                probes.reserve("probe", tokens.reserve(1)).cancel();
                return !HoldingRules.stored(promoted, probed).isEmpty();
              });
      assertThat(call.settle(11)).isEqualTo(SettleResult.SETTLED);
      assertThat(HoldingRules.stored(promoted, key)).element(HoldingRules.TIMES).isEqualTo(11L);
    } finally {
      group.awaitWhole();
    }
  }

  private RateLimiters connect(RedisDeployment deployment) {
    return suiteClient().connector().connect(deployment.endpoint(), HoldingRules.PATIENT);
  }

  private Reservation reserved(Reservations calls) {
    return ServerEvents.firstResult(
        "a reservation", () -> calls.reserve(HoldingRules.GROUP, tokens.reserve(40)));
  }

  private static String answerFor(TestServer server, String... keys) {
    try (RespConnection connection = server.connect()) {
      Object answer = connection.call("EVAL", "return 1", "2", keys[0], keys[1]);
      return answer instanceof RespError error ? error.text() : String.valueOf(answer);
    }
  }
}
