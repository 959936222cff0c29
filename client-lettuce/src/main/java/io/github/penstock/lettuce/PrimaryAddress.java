package io.github.penstock.lettuce;

import io.lettuce.core.RedisURI;
import java.util.function.Supplier;

/** Where the primary is: returns its address, as it is found now, and may ask for it. */
interface PrimaryAddress extends Supplier<RedisURI> {
  /** Returns whether there is another primary than the one that was returned last. */
  default boolean hasMoved() {
    return false;
  }
}
