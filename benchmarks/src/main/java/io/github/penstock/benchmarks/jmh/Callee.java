package io.github.penstock.benchmarks.jmh;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Who is called, where a benchmark has its floors as a parameter. */
public enum Callee {
  /** A limiter. */
  PENSTOCK(null),
  /** {@link Floor#SAME_COMMANDS}, raw. */
  SAME_COMMANDS(Floor.SAME_COMMANDS),
  /** {@link Floor#TOKEN_BUCKET}, raw, whichever the algorithm is. */
  TOKEN_BUCKET_RAW(Floor.TOKEN_BUCKET);

  private final @Nullable Floor floor;

  Callee(@Nullable Floor floor) {
    this.floor = floor;
  }

  /** The floor that is called, empty if it is a limiter. */
  public Optional<Floor> floor() {
    return Optional.ofNullable(floor);
  }
}
