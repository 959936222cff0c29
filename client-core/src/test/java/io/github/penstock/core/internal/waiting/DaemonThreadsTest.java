package io.github.penstock.core.internal.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.core.AsyncRateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.limit.FixedWindow;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.core.spi.TransportFailure;
import io.github.penstock.core.spi.adapter.AsyncTransportRateLimiters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class DaemonThreadsTest {
  private static final Path SOURCES = Path.of("src/main/java");
  private static final Pattern NAME = Pattern.compile("\"(penstock-[a-z]+)\"");

  @Test
  @DisplayName("docs/clients.md names every thread, and no other class makes one")
  void named() throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(SOURCES)) {
      files = all.filter(file -> file.toString().endsWith(".java")).toList();
    }
    String page = Files.readString(Path.of("../docs/clients.md"));
    Set<String> names = ConcurrentHashMap.newKeySet();
    for (Path file : files) {
      String source = Files.readString(file);
      NAME.matcher(source).results().map(MatchResult::group).forEach(names::add);
      if (!file.endsWith("DaemonThreads.java")) {
        assertThat(source)
            .as(file.toString())
            .doesNotContain("new Thread(", "new ThreadPoolExecutor(", "Executors.new");
      }
    }
    assertThat(names).hasSizeGreaterThan(5);
    assertThat(names).allSatisfy(name -> assertThat(page).contains(name.replace('"', '`')));
  }

  @Test
  @DisplayName("one thread ends the calls of all limiters")
  void oneTimer() {
    List<CompletableFuture<Throwable>> ended =
        Stream.generate(DaemonThreadsTest::limiter)
            .limit(20)
            .map(limiter -> limiter.tryAcquire("subject").toCompletableFuture())
            .map(call -> call.handle((decision, failure) -> failure))
            .toList();
    assertThat(ended).extracting(CompletableFuture::join).doesNotContainNull();
    assertThat(Thread.getAllStackTraces().keySet())
        .filteredOn(thread -> thread.getName().equals("penstock-timer"))
        .hasSizeLessThan(2);
  }

  private static AsyncRateLimiter limiter() {
    return new AsyncTransportRateLimiters(
            new SilentTransport(),
            RateLimiterOptions.builder().deadline(Duration.ofMillis(50)).build(),
            () -> {})
        .asyncLimiter("silent", FixedWindow.of(1, Duration.ofSeconds(1)));
  }

  private static final class SilentTransport implements ScriptTransport {
    @Override
    public CompletionStage<?> send(ScriptCall call) {
      return new CompletableFuture<>();
    }

    @Override
    public List<? extends CompletionStage<?>> sendAll(List<ScriptCall> calls) {
      return calls.stream().map(this::send).toList();
    }

    @Override
    public CompletionStage<?> loadFunctions(String library) {
      return new CompletableFuture<>();
    }

    @Override
    public @Nullable TransportFailure failure(Throwable thrown) {
      return null;
    }
  }
}
