package io.github.penstock.benchmarks.flood;

import com.google.gson.Gson;
import com.google.gson.annotations.SerializedName;
import com.sun.management.OperatingSystemMXBean;
import io.github.penstock.benchmarks.limiter.CallStyle;
import io.github.penstock.benchmarks.limiter.ClosedLoop;
import io.github.penstock.benchmarks.limiter.SubjectWorkload;
import io.github.penstock.core.AsyncRateLimiters;
import io.github.penstock.core.Decision;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.PenstockException;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.RateLimiters;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.TokenBucket;
import io.github.penstock.glide.GlideRateLimiters;
import io.github.penstock.jedis.JedisRateLimiters;
import io.github.penstock.lettuce.LettuceRateLimiters;
import io.github.penstock.redisson.RedissonRateLimiters;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The flood client of the Java adapters: {@code packages/floods.py} has its contract. A form is a
 * client and a style of call: {@code jedis}, {@code "lettuce stages"}, {@code "jedis virtual"}.
 */
public final class FloodClient {
  private static final Gson GSON = new Gson();
  private static final Set<String> DECIDED = Set.of("allowed", "denied_by_server", "decided");
  private static final int THREADS = 1_000;
  private static final long WARM_MS = 4_000;
  private static final String PASSWORD = "changeit";

  private final FloodOrder order;
  private final String subject = UUID.randomUUID().toString();
  private final Queue<CallOutcome> outcomes = new ConcurrentLinkedQueue<>();

  /** The argument of the program. */
  private record FloodOrder(
      String address,
      String kind,
      @Nullable String ca,
      int calls,
      @SerializedName("deadline_ms") long deadlineMs,
      boolean warm,
      long limit,
      String form,
      boolean raw,
      @Nullable String signal,
      @Nullable Double seconds,
      @SerializedName("circuit_ms") long circuitMs,
      int callers,
      @Nullable Boolean shares) {
    Limit bucket() {
      return TokenBucket.of(limit).refill(limit, Duration.ofDays(1));
    }

    String uri() {
      String scheme =
          kind.equals("tls") ? "rediss" : kind.equals("cluster") ? "redis-cluster" : "redis";
      return scheme + "://" + address;
    }

    String client() {
      return form.split(" ")[0];
    }

    CallStyle style() {
      if (form.endsWith("stages")) {
        return CallStyle.STAGES;
      }
      return form.endsWith("virtual") ? CallStyle.VIRTUAL : CallStyle.BLOCKING;
    }
  }

  private record CallOutcome(double begunSeconds, double tookMs, String outcome) {
    boolean isDecided() {
      return DECIDED.contains(outcome);
    }
  }

  private FloodClient(FloodOrder order) {
    this.order = order;
  }

  /** Runs one flood. */
  public static void main(String[] arguments) throws Exception {
    System.out.println(flood(arguments[0]));
    // Calls to a stopped server are not waited for.
    Runtime.getRuntime().halt(0);
  }

  /** What a flood prints. */
  static String flood(String json) throws Exception {
    return GSON.toJson(new FloodClient(GSON.fromJson(json, FloodOrder.class)).run());
  }

  private Map<String, Object> run() throws Exception {
    if (order.ca() != null) {
      trust(Path.of(order.ca()));
    }
    Supplier<CompletionStage<?>> call = order.raw() ? rawCall() : call(warmed());
    if (order.callers() > 0 && order.seconds() != null) {
      return closedLoop(call, order.seconds());
    }
    CountDownLatch gate = new CountDownLatch(order.seconds() == null ? 1 : 0);
    CountDownLatch left = new CountDownLatch(order.calls());
    Runnable one = () -> call.get().thenRun(left::countDown);
    Executor callers = callers(gate);
    if (order.seconds() == null) {
      share(callers, one);
    }
    OperatingSystemMXBean machine =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long cpuNanos = machine.getProcessCpuTime();
    signal();
    gate.countDown();
    if (order.seconds() != null) {
      flow(callers, one, order.seconds());
    }
    left.await();
    return said((machine.getProcessCpuTime() - cpuNanos) / 1e6);
  }

  private void signal() throws IOException {
    if (order.signal() != null) {
      Files.createFile(Path.of(order.signal()));
    }
  }

  /* What began in the first half a second is forgotten. */
  private Map<String, Object> closedLoop(Supplier<CompletionStage<?>> made, double seconds)
      throws Exception {
    signal();
    double counted = System.currentTimeMillis() / 1e3 + 0.5;
    Executor threads = order.style().threads();
    // A stage that has ended at once would make the next call within itself.
    IntFunction<CompletionStage<?>> call =
        order.style() == CallStyle.STAGES
            ? any -> made.get().thenRunAsync(() -> {}, threads)
            : any -> made.get();
    long nanos = (long) ((0.5 + seconds) * 1e9);
    ClosedLoop.run(call, SubjectWorkload.HOT, order.callers(), threads, nanos);
    List<CallOutcome> ended =
        outcomes.stream().filter(each -> each.begunSeconds() >= counted).toList();
    double[] took =
        ended.stream()
            .filter(CallOutcome::isDecided)
            .mapToDouble(CallOutcome::tookMs)
            .sorted()
            .toArray();
    return Map.of(
        "decided",
        took.length,
        "lost",
        ended.size() - took.length,
        "median_ms",
        took[took.length / 2],
        "slowest_ms",
        took[took.length - 1]);
  }

  private Supplier<CompletionStage<?>> rawCall() throws Exception {
    boolean blocks = order.style() != CallStyle.STAGES;
    Supplier<CompletionStage<?>> call =
        new RawCalls(order.uri(), subject, order.bucket(), order.deadlineMs())
            .by(order.client(), blocks, order.warm());
    return () -> {
      long begun = System.nanoTime();
      return call.get().handle((answer, thrown) -> noteRaw(begun, thrown));
    };
  }

  private RateLimiters warmed() throws InterruptedException {
    RateLimiters limiters = connected();
    if (order.warm()) {
      limiters.awaitConnected(Duration.ofMinutes(1));
      try {
        // In a cluster, the node of the subject.
        limiters.limiter("flood", order.bucket()).peek(subject);
      } catch (PenstockException late) {
        System.err.println(late.getMessage());
      }
      TimeUnit.MILLISECONDS.sleep(WARM_MS);
    }
    return limiters;
  }

  private RateLimiters connected() {
    RateLimiterOptions options =
        RateLimiterOptions.builder()
            .prefix("f" + subject.substring(0, 8))
            .deadline(Duration.ofMillis(order.deadlineMs()))
            .onUnavailable(OnUnavailable.ALLOW)
            .rememberDenials(Duration.ZERO)
            .circuitBreaker(Duration.ofMillis(order.circuitMs()))
            .shareTrips(order.shares() == null || order.shares())
            .build();
    String uri = order.uri();
    return switch (order.client()) {
      case "jedis" -> JedisRateLimiters.connect(uri, options);
      case "lettuce" -> LettuceRateLimiters.connect(uri, options);
      case "redisson" -> RedissonRateLimiters.connect(uri, options);
      case "glide" -> GlideRateLimiters.connect(uri, options);
      default -> throw new IllegalArgumentException("form: " + order.form());
    };
  }

  /* What makes one call; its stage ends when the call has ended. */
  private Supplier<CompletionStage<?>> call(RateLimiters limiters) {
    if (order.style() == CallStyle.STAGES) {
      var limiter = ((AsyncRateLimiters) limiters).asyncLimiter("flood", order.bucket());
      return () -> {
        long begun = System.nanoTime();
        return limiter
            .tryAcquire(subject)
            .handle((decision, thrown) -> note(begun, decision, thrown));
      };
    }
    var limiter = limiters.limiter("flood", order.bucket());
    return () -> {
      long begun = System.nanoTime();
      CompletableFuture.completedFuture(subject)
          .thenApply(limiter::tryAcquire)
          .handle((decision, thrown) -> note(begun, decision, thrown));
      return ClosedLoop.BLOCKED;
    };
  }

  private static double tookMs(long begunNanos) {
    return (System.nanoTime() - begunNanos) / 1e6;
  }

  private CallOutcome noteRaw(long begunNanos, @Nullable Throwable thrown) {
    double tookMs = tookMs(begunNanos);
    String answered = tookMs <= order.deadlineMs() ? "decided" : "late";
    return note(tookMs, thrown == null ? answered : "thrown");
  }

  private CallOutcome note(
      long begunNanos, @Nullable Decision decision, @Nullable Throwable thrown) {
    double tookMs = tookMs(begunNanos);
    String outcome = "thrown";
    if (decision == null) {
      System.err.println(thrown);
    } else if (decision.enforced()) {
      outcome = decision.allowed() ? "allowed" : "denied_by_server";
    } else {
      outcome = decision.allowed() ? "opened" : "overloaded";
    }
    return note(tookMs, outcome);
  }

  private CallOutcome note(double tookMs, String outcome) {
    CallOutcome noted =
        new CallOutcome(System.currentTimeMillis() / 1e3 - tookMs / 1e3, tookMs, outcome);
    outcomes.add(noted);
    return noted;
  }

  /* Each task is a thread's; those of stages are one thread's, one after the other. */
  private Executor callers(CountDownLatch gate) {
    Executor threads = order.style().threads();
    return task ->
        threads.execute(
            () -> {
              try {
                gate.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
              }
              task.run();
            });
  }

  /* Platform threads share the calls. */
  private void share(Executor callers, Runnable one) {
    boolean platform = order.style() == CallStyle.BLOCKING;
    int number = platform ? Math.min(THREADS, order.calls()) : order.calls();
    AtomicInteger next = new AtomicInteger(number);
    for (int i = 0; i < number; i++) {
      callers.execute(
          () -> {
            do {
              one.run();
            } while (platform && next.getAndIncrement() < order.calls());
          });
    }
  }

  private void flow(Executor callers, Runnable one, double seconds) throws InterruptedException {
    long begun = System.nanoTime();
    for (int i = 0; i < order.calls(); i++) {
      long due = begun + (long) (seconds * 1e9 * i / order.calls());
      TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
      callers.execute(one);
    }
  }

  private Map<String, Object> said(double cpuMs) {
    Map<String, Object> said = new LinkedHashMap<>();
    for (String name : List.of("opened", "allowed", "denied_by_server", "overloaded", "thrown")) {
      said.put(name, outcomes.stream().filter(each -> each.outcome().equals(name)).count());
    }
    said.put("decided", outcomes.stream().filter(CallOutcome::isDecided).count());
    said.put("slowest_ms", outcomes.stream().mapToDouble(CallOutcome::tookMs).max().orElse(0));
    said.put("cpu_ms", cpuMs);
    if (order.seconds() != null) {
      List<List<Object>> each = new ArrayList<>();
      for (CallOutcome one : outcomes) {
        each.add(
            List.of(one.begunSeconds(), one.tookMs(), one.isDecided() ? "decided" : one.outcome()));
      }
      said.put("each", each);
    }
    return said;
  }

  /* The JVM's trust store has this certificate only. */
  private static void trust(Path ca) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    try (InputStream pem = Files.newInputStream(ca)) {
      store.setCertificateEntry(
          "ca", CertificateFactory.getInstance("X.509").generateCertificate(pem));
    }
    Path file = Files.createTempFile("flood", ".p12");
    file.toFile().deleteOnExit();
    try (OutputStream out = Files.newOutputStream(file)) {
      store.store(out, PASSWORD.toCharArray());
    }
    System.setProperty("javax.net.ssl.trustStore", file.toString());
    System.setProperty("javax.net.ssl.trustStorePassword", PASSWORD);
  }
}
