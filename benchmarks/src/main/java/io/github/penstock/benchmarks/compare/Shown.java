package io.github.penstock.benchmarks.compare;

import io.github.penstock.benchmarks.compare.log.LogSource;
import io.github.penstock.benchmarks.compare.log.Progress;
import org.jspecify.annotations.Nullable;

/** A log's requests, and a bar that shows how far it is. Not safe for use by several threads. */
final class Shown implements Source {
  private static final int EVERY = 1_000;
  private final LogSource source;
  private final Progress progress;
  private long requests;

  Shown(LogSource source, Progress progress) {
    this.source = source;
    this.progress = progress;
  }

  @Override
  public boolean isReady() {
    boolean ready = source.isReady();
    if (!ready) {
      progress.show(requests);
    }
    return ready;
  }

  @Override
  public @Nullable Request next() {
    if (++requests % EVERY == 0) {
      progress.show(requests);
    }
    return source.next();
  }
}
