package io.github.penstock.spring.method;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.context.annotation.Bean;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Beans with limited methods. */
public class MethodServices {
  @Bean
  PrintService prints() {
    return new PrintService();
  }

  @Bean
  ScanService scans() {
    return new ScanService();
  }

  @Retention(RetentionPolicy.RUNTIME)
  @RateLimited(policy = "five", subject = "'meta'")
  @interface FivePerHour {}

  public static class PrintService {
    private final AtomicInteger calls = new AtomicInteger();

    @RateLimited(policy = "five", subject = "#id", cost = "#pages.size()")
    public String print(String id, List<String> pages) {
      return "printed " + calls.incrementAndGet();
    }

    @RateLimited(policy = "five", subject = "#id.strip()")
    public String strip(String id) {
      return id;
    }

    @RateLimited(policy = "five", subject = "#id")
    @RateLimited(policy = "two", subject = "#id")
    public String both(String id) {
      return id;
    }

    @FivePerHour
    public String meta() {
      return "meta";
    }

    @RateLimited(policy = "trial", subject = "#id")
    public String trial(String id) {
      return "tried";
    }

    @RateLimited(policy = "trial", subject = "#id")
    public Mono<String> trialLater(String id) {
      return Mono.just("tried");
    }

    @RateLimited(policy = "two", subject = "#id")
    public Mono<Integer> mono(String id) {
      return Mono.just(calls.incrementAndGet());
    }

    @RateLimited(policy = "two", subject = "#id")
    public Flux<Integer> flux(String id) {
      return Flux.just(1, 2, 3);
    }

    @RateLimited(policy = "two", subject = "#id")
    public CompletionStage<String> stage(String id) {
      return CompletableFuture.completedFuture(Thread.currentThread().getName());
    }

    @RateLimited(policy = "member", subject = "#id", also = "#tenant", cost = "2")
    public CompletionStage<String> shared(String id, String tenant) {
      return CompletableFuture.completedFuture("shared");
    }

    public int calls() {
      return calls.get();
    }

    public String free() {
      return "free";
    }
  }

  @RateLimited(policy = "two", subject = "'class'")
  public static class ScanService {
    public String scan() {
      return "scanned";
    }

    @RateLimited("five")
    public String all() {
      return "all";
    }

    String inner() {
      return "not public";
    }
  }
}
