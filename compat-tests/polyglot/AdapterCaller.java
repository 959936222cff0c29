import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import glide.api.logging.Logger;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.SubjectCost;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.LimitKind;
import io.github.penstock.core.reserve.EntryCost;
import io.github.penstock.core.reserve.EntryLimit;
import io.github.penstock.core.reserve.Reservation;
import io.github.penstock.core.reserve.Reservations;
import io.github.penstock.core.reserve.SettleResult;
import io.github.penstock.glide.GlideRateLimiters;
import io.github.penstock.jedis.JedisRateLimiters;
import io.github.penstock.lettuce.LettuceRateLimiters;
import io.github.penstock.redisson.RedissonRateLimiters;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Takes units through an adapter as polyglot.py asks: {@code java -cp penstock.jar:. AdapterCaller CLIENT PORT}. */
class AdapterCaller {
  private static final int AT_ONCE = 8;

  public static void main(String[] args) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
    BufferedReader questions = new BufferedReader(new InputStreamReader(System.in));
    String line;
    try (RateLimiters byHash = connect(args, false);
        RateLimiters byFunction = connect(args, true)) {
      while ((line = questions.readLine()) != null) {
        JsonObject question = JsonParser.parseString(line).getAsJsonObject();
        RateLimiters limiters = question.get("functions").getAsBoolean() ? byFunction : byHash;
        System.out.println(question.has("load") ? "{}" : "{\"admitted\": " + taken(limiters, question, threads) + "}");
      }
    }
    threads.shutdown();
  }

  private static RateLimiters connect(String[] args, boolean functions) {
    String uri = "redis://127.0.0.1:" + args[1];
    RateLimiterOptions options =
        RateLimiterOptions.builder().prefix("polyglot").functions(functions).deadline(Duration.ofSeconds(30))
            .rememberDenials(Duration.ZERO).build();
    RateLimiters limiters =
        switch (args[0]) {
          case "Jedis" -> JedisRateLimiters.connect(uri, options);
          case "Lettuce" -> LettuceRateLimiters.connect(uri, options);
          case "GLIDE" -> {
            // Its log would stand among the answers.
            Logger.init(Logger.Level.OFF);
            yield GlideRateLimiters.connect(uri, options);
          }
          default -> RedissonRateLimiters.connect(uri, options);
        };
    if (!functions) {
      limiters.awaitConnected(Duration.ofSeconds(10));
    }
    return limiters;
  }

  private static long taken(RateLimiters limiters, JsonObject question, ExecutorService threads) {
    return question.has("held") ? hold(limiters, question, threads) : share(limiters, question, threads);
  }

  private static long hold(RateLimiters limiters, JsonObject question, ExecutorService threads) {
    JsonObject limits = question.getAsJsonObject("limits");
    EntryCost tokens = EntryLimit.parse("tokens", limits.get("tokens").getAsString()).reserve(question.get("held").getAsLong());
    EntryCost place = EntryLimit.parse("places", limits.get("places").getAsString()).reserve();
    Reservations llm = limiters.reservations("llm", Duration.ofHours(1));
    String group = question.get("group").getAsString();
    long used = question.get("used").getAsLong();
    long most = question.get("most").getAsLong();
    List<CompletableFuture<Long>> all =
        Stream.generate(
                () -> CompletableFuture.supplyAsync(() -> used * settled(llm, group, used, most, tokens, place), threads))
            .limit(AT_ONCE)
            .toList();
    return all.stream().mapToLong(CompletableFuture::join).sum();
  }

  private static long settled(Reservations llm, String group, long used, long most, EntryCost... entries) {
    long calls = 0;
    while (calls < most) {
      try (Reservation call = llm.reserve(group, entries)) {
        if (call.allowed()) {
          if (call.settle(used) != SettleResult.SETTLED) {
            throw new IllegalStateException("a call was not settled: " + call);
          }
          calls++;
        } else if (call.answer().denying() == 0 && call.usages().get(0).held() == 0) {
          break;
        } else {
          LockSupport.parkNanos(5_000_000);
        }
      }
    }
    return calls;
  }

  private static long share(RateLimiters limiters, JsonObject question, ExecutorService threads) {
    JsonArray tier = question.getAsJsonArray("tiers").get(0).getAsJsonArray();
    RateLimiter limiter =
        limiters.limiter(question.get("policy").getAsString(), limit(question.get("script").getAsString(), tier));
    SubjectCost cost = new SubjectCost(question.get("subject").getAsString(), question.get("cost").getAsLong());
    int batch = question.get("batch").getAsInt();
    long most = question.get("most").getAsLong();
    List<CompletableFuture<Long>> all =
        Stream.generate(() -> CompletableFuture.supplyAsync(() -> untilDenied(limiter, cost, batch, most), threads))
            .limit(AT_ONCE)
            .toList();
    return all.stream().mapToLong(CompletableFuture::join).sum();
  }

  private static Limit limit(String script, JsonArray tier) {
    LimitKind kind = LimitKind.named(script).orElseThrow();
    List<Long> numbers = tier.asList().stream().map(JsonElement::getAsLong).toList();
    return Limit.of(kind, List.of(kind.tier(numbers)));
  }

  private static long untilDenied(RateLimiter limiter, SubjectCost cost, int batch, long most) {
    long units = 0;
    for (long call = 0; call < most; call++) {
      long allowed =
          batch == 1
              ? limiter.tryAcquire(cost.subject(), cost.cost()).allowed() ? 1 : 0
              : limiter.tryAcquireEach(Collections.nCopies(batch, cost)).stream()
                  .filter(outcome -> outcome.decision().allowed())
                  .count();
      units += cost.cost() * allowed;
      if (allowed < batch) {
        break;
      }
    }
    return units;
  }
}
