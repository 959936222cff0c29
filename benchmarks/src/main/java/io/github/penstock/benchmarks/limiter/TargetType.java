package io.github.penstock.benchmarks.limiter;

/** Who is called, where a benchmark has its floors as a parameter. */
public enum TargetType {
  /** A limiter. */
  PENSTOCK,
  /** {@link FloorCall#SAME_COMMANDS}, raw. */
  SAME_COMMANDS,
  /** {@link FloorCall#TOKEN_BUCKET}, raw, whichever the algorithm is. */
  TOKEN_BUCKET_RAW;

  /** The parameter's value that stands for a candidate. */
  public static TargetType of(BenchmarkCandidate candidate) {
    return candidate == FloorCall.SAME_COMMANDS
        ? SAME_COMMANDS
        : candidate == FloorCall.TOKEN_BUCKET ? TOKEN_BUCKET_RAW : PENSTOCK;
  }

  /** A floor, or the algorithm that is asked about. */
  public BenchmarkCandidate candidate(PenstockAlgorithm algorithm) {
    return switch (this) {
      case PENSTOCK -> algorithm;
      case SAME_COMMANDS -> FloorCall.SAME_COMMANDS;
      case TOKEN_BUCKET_RAW -> FloorCall.TOKEN_BUCKET;
    };
  }
}
