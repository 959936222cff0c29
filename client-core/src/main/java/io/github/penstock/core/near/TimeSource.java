package io.github.penstock.core.near;

/** The two clocks of a process. Safe for use by several threads. */
public interface TimeSource {
  /** The clocks of this machine. */
  TimeSource SYSTEM =
      new TimeSource() {
        @Override
        public long nanos() {
          return System.nanoTime();
        }

        @Override
        public long wallMillis() {
          return System.currentTimeMillis();
        }
      };

  /** Monotonic, as {@link System#nanoTime()} counts: good for differences only. */
  long nanos();

  /** Milliseconds since 1970; may step. */
  long wallMillis();
}
