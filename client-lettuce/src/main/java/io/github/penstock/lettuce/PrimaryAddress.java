package io.github.penstock.lettuce;

import io.lettuce.core.RedisURI;
import java.util.function.Supplier;

/** Finds the primary: returns its current address, and may query it. */
interface PrimaryAddress extends Supplier<RedisURI> {
  /** Returns whether there is another primary than the one that was returned last. */
  default boolean hasMoved() {
    return false;
  }
}
