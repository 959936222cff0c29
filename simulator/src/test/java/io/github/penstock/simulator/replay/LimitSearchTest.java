package io.github.penstock.simulator.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.core.limit.LimitKind;
import io.github.penstock.simulator.log.LogSettings;
import io.github.penstock.simulator.log.SortedLog;
import io.github.penstock.simulator.record.CostRule;
import io.github.penstock.simulator.record.LogFormat;
import io.github.penstock.simulator.record.SubjectRule;
import io.github.penstock.simulator.replay.ReplayResult.LimitResult;
import io.github.penstock.simulator.traffic.LimitCandidate;
import io.github.penstock.simulator.traffic.SubjectShare;
import io.github.penstock.testkit.server.EmbeddedServer;
import io.github.penstock.testkit.server.TestServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.RedisClient;

class LimitSearchTest {
  private static final long BEGIN = 1_763_640_000;
  private static final int REQUESTS = 400;
  private static final List<String> MONOTONE =
      List.of("fixed-window", "token-bucket", "leaky-bucket");
  @TempDir static Path directory;
  @AutoClose private static final TestServer server = new EmbeddedServer().start();
  @AutoClose private static final RedisClient client = RedisClient.create(server.url().toString());

  /** One of 991 subjects asks 10 times at once: at 9 one request of 1,000 is denied, at 1 nine. */
  @Test
  void theNumbersThatALogWasMadeForAreFound() throws IOException {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 990; i++) {
      lines.add(BEGIN + i + ",s" + i + ",1");
    }
    lines.addAll(Collections.nCopies(10, BEGIN + 100 + ",hot,1"));
    for (LimitSuggestion each : suggested(lines, "10s")) {
      assertThat(each.without()).isEmpty();
      assertThat(each.limits()).hasSameSizeAs(LimitKind.values());
      assertThat(each.limits())
          .extracting(limit -> limit.limit().tiers().get(0).units())
          .containsOnly(each.perMille() == 1 ? 9L : 1L);
    }
  }

  @Test
  void aNumberIsTheLeastThatTheScriptsSay() throws IOException {
    for (int seed = 1; seed <= 3; seed++) {
      List<String> lines = random(new Random(seed), 1);
      for (LimitSuggestion each : suggested(lines, "2s")) {
        long may = LimitSuggestion.mayDeny(REQUESTS, each.perMille());
        for (LimitCandidate found : each.limits()) {
          long units = found.limit().tiers().get(0).units();
          List<Long> denied = denied(lines, found.algorithm(), units);
          assertThat(denied.get((int) units)).as(found.name()).isLessThanOrEqualTo(may);
          assertThat(denied.get((int) units - 1)).as(found.name()).isGreaterThan(may);
          if (MONOTONE.contains(found.algorithm())) {
            assertThat(denied.subList(0, (int) units)).allMatch(smaller -> smaller > may);
          }
        }
      }
    }
  }

  @Test
  void withCostsOneUnitLessDeniesTooMany() throws IOException {
    List<String> lines = random(new Random(7), 9);
    for (LimitSuggestion each : suggested(lines, "2s")) {
      long may = LimitSuggestion.mayDeny(REQUESTS, each.perMille());
      for (LimitCandidate found : each.limits()) {
        long units = found.limit().tiers().get(0).units();
        List<Long> denied = denied(lines, found.algorithm(), units);
        assertThat(denied.get((int) units)).as(found.name()).isLessThanOrEqualTo(may);
        assertThat(denied.get((int) units - 1)).as(found.name()).isGreaterThan(may);
      }
    }
  }

  @Test
  void whatNoNumberCanAdmitHasNone() throws IOException {
    List<String> lines =
        List.of(BEGIN + ",s,1000000000000", BEGIN + ",s,1000000000000", BEGIN + ",s,1");
    assertThat(suggested(lines, "1m"))
        .allSatisfy(
            each -> {
              assertThat(each.limits()).isEmpty();
              assertThat(each.without())
                  .hasSameSizeAs(LimitKind.values())
                  .contains("fixed-window", "leaky-bucket");
            });
  }

  @Test
  void aGreatNumberIsRoundedUpWhereABucketWouldNotBeExact() throws IOException {
    List<String> lines = List.of(BEGIN + ",s,1234567891", BEGIN + ",t,1234567891");
    for (LimitSuggestion each : suggested(lines, "1d")) {
      assertThat(each.limits())
          .extracting(limit -> limit.limit().tiers().get(0).units())
          .startsWith(1234567891L, 1234567891L, 1234600000L, 1234600000L, 1234567891L);
    }
  }

  /* What the scripts deny under each number from 1; under 0 everything. */
  private static List<Long> denied(List<String> lines, String algorithm, long most)
      throws IOException {
    List<LimitCandidate> limits = new ArrayList<>();
    for (long units = 1; units <= most; units++) {
      limits.add(LimitCandidate.of(algorithm + ":" + units + "/2s"));
    }
    List<Long> denied = new ArrayList<>(List.of((long) lines.size()));
    try (SortedLog log = log(lines)) {
      TrafficComparison compare = new TrafficComparison(client, "search");
      for (LimitResult each :
          compare.log(log, limits, null, CheckShare.ALL, silent()).played().results()) {
        denied.add(each.stats().denied());
      }
    }
    client.flushAll();
    return denied;
  }

  private static List<LimitSuggestion> suggested(List<String> lines, String period)
      throws IOException {
    try (SortedLog log = log(lines)) {
      return LimitSearch.of(log, period, silent());
    }
  }

  private static List<String> random(Random random, int costs) {
    List<String> lines = new ArrayList<>();
    double now = BEGIN;
    for (int i = 0; i < REQUESTS; i++) {
      now += random.nextInt(3) == 0 ? random.nextDouble() * 3 : random.nextDouble() / 20;
      lines.add("%.6f,s%d,%d".formatted(now, random.nextInt(4), 1 + random.nextInt(costs)));
    }
    return lines;
  }

  private static SortedLog log(List<String> lines) throws IOException {
    Path file = directory.resolve("log.csv");
    Files.writeString(file, "time,subject,cost\n" + String.join("\n", lines) + "\n");
    LogSettings settings =
        new LogSettings(
            List.of(file.toString()),
            LogFormat.CSV,
            new SubjectRule("field:subject"),
            new CostRule("field:cost/1"),
            null,
            null,
            null,
            List.of(),
            SubjectShare.ALL);
    return new SortedLog(settings, 2, silent());
  }

  private static PrintWriter silent() {
    return new PrintWriter(new StringWriter());
  }
}
