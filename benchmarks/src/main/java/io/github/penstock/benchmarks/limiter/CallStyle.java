package io.github.penstock.benchmarks.limiter;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** How callers call. */
public enum CallStyle {
  BLOCKING,
  /** Blocking, on threads that Java has since version 21. */
  VIRTUAL,
  /** By stages, each in the thread that completes the last one. */
  STAGES;

  /** The threads of callers; those of stages begin in one. */
  public ExecutorService threads() {
    try {
      return switch (this) {
        case BLOCKING -> Executors.newCachedThreadPool();
        case VIRTUAL ->
            (ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        case STAGES -> Executors.newSingleThreadExecutor();
      };
    } catch (ReflectiveOperationException e) {
      throw new UnsupportedOperationException("virtual threads need Java 21 or newer (-jvm)", e);
    }
  }
}
