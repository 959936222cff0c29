package io.github.penstock.compat.load;

import io.github.penstock.core.Decision;
import io.github.penstock.core.internal.failure.TransportStages;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Very many asynchronous calls at once, and when and how each of them ended. */
public final class TimedFlood {
  private TimedFlood() {}

  /**
   * Makes this number of calls and waits for the last of them.
   *
   * @param subjects the prefix of the subject of each; null if all share one
   */
  public static List<LoadCall> of(
      int calls, @Nullable String subjects, Function<String, CompletionStage<Decision>> call) {
    List<CompletableFuture<LoadCall>> ended = new ArrayList<>(calls);
    for (int i = 0; i < calls; i++) {
      String subject = subjects == null ? "one" : subjects + i;
      long start = System.nanoTime();
      ended.add(
          call.apply(subject)
              .handle((decision, failure) -> made(subject, start, decision, failure))
              .toCompletableFuture());
    }
    return ended.stream().map(CompletableFuture::join).toList();
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
