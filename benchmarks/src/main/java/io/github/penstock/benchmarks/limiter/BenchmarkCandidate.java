package io.github.penstock.benchmarks.limiter;

/** A limiter, a floor or a command that can be measured, told from others by identity. */
public sealed interface BenchmarkCandidate
    permits FloorCall,
        PenstockAlgorithm,
        LimiterType,
        BenchmarkCandidate.NativeCommand,
        TripSaving {
  /** The constant's name, as JMH's parameters have it. */
  String name();

  /** Its name for people. */
  String title();

  /** Its name where there is little room. */
  default String shortTitle() {
    return title();
  }

  /** Returns whether it sends GETs separately, in addition to scripts that make one each. */
  default boolean sendsGets() {
    return false;
  }

  /** Makes it on a client, for a workload's subjects. */
  LimiterUnderTest on(ClientSession session, BenchmarkTarget target, SubjectWorkload workload);

  /** A command of the server that limits by itself; it is measured on the server only. */
  enum NativeCommand implements BenchmarkCandidate {
    /** The bounded counter of Redis 8.8 and Valkey 9.2: one window, yes or no. */
    INCREX;

    @Override
    public String title() {
      return name();
    }

    @Override
    public LimiterUnderTest on(
        ClientSession session, BenchmarkTarget target, SubjectWorkload workload) {
      throw new UnsupportedOperationException(name() + " is measured on the server only");
    }
  }
}
