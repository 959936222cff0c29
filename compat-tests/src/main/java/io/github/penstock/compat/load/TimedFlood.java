package io.github.penstock.compat.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.core.Decision;
import io.github.penstock.core.internal.failure.TransportStages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Very many asynchronous calls at once, and when and how each of them ended. */
public final class TimedFlood {
  /* Only so that a test ends at all: no machine is so busy. */
  private static final Duration MOST = Duration.ofMinutes(2);

  /* Ending this number of calls takes processor time, as does beginning them. */
  private static final int DEADLINES = 16;

  private final List<CompletableFuture<LoadCall>> calls = new ArrayList<>();
  private final Duration beginning;

  private TimedFlood(
      int number, @Nullable String subjects, Function<String, CompletionStage<Decision>> call) {
    long begun = System.nanoTime();
    for (int i = 0; i < number; i++) {
      String subject = subjects == null ? "one" : subjects + i;
      long start = System.nanoTime();
      calls.add(
          call.apply(subject)
              .handle((decision, failure) -> made(subject, start, decision, failure))
              .toCompletableFuture());
    }
    beginning = Duration.ofNanos(System.nanoTime() - begun);
  }

  /**
   * Makes this number of calls and waits for the last of them.
   *
   * @param subjects the prefix of the subject of each; null if all share one
   */
  public static List<LoadCall> of(
      int calls, @Nullable String subjects, Function<String, CompletionStage<Decision>> call) {
    return new TimedFlood(calls, subjects, call).ended();
  }

  /** Makes this number of calls, each with a subject of its own. */
  public static TimedFlood start(int calls, Function<String, CompletionStage<Decision>> call) {
    return new TimedFlood(calls, "subject-", call);
  }

  /**
   * Returns once every call has failed; the awaited event must not come before. Fails if they
   * waited for a client's own time-out instead of their deadline.
   */
  public void awaitFailures(Duration deadline) {
    try (StallWatch stalls = StallWatch.watching()) {
      long begun = System.nanoTime();
      for (CompletableFuture<LoadCall> call : calls) {
        assertThat(call).succeedsWithin(MOST).matches(LoadCall::failed, "failed");
      }
      long ended = System.nanoTime();
      Duration stalled = Duration.ofNanos(stalls.nanosWithin(begun, ended));
      assertThat(Duration.ofNanos(ended - begun))
          .as(
              "from the last call of %d, which took %s to begin, to the last failure; stalls of %s",
              calls.size(), beginning, stalled)
          .isLessThan(deadline.plus(beginning).multipliedBy(DEADLINES).plus(stalled));
    }
  }

  /** Returns how many have neither been decided nor failed yet. */
  public long waiting() {
    return calls.stream().filter(call -> !call.isDone()).count();
  }

  /** Returns how many said that they may have been charged. */
  public long unknown() {
    return ended().stream().filter(LoadCall::mayHaveBeenCharged).count();
  }

  private List<LoadCall> ended() {
    return calls.stream().map(CompletableFuture::join).toList();
  }

  private static LoadCall made(
      String subject, long start, @Nullable Decision decision, @Nullable Throwable failure) {
    return new LoadCall(
        subject,
        start,
        System.nanoTime(),
        decision,
        failure == null ? null : TransportStages.failure(failure));
  }
}
