/** Penstock on Lettuce: {@link io.github.penstock.lettuce.LettuceRateLimiters}. */
@NullMarked
package io.github.penstock.lettuce;

import org.jspecify.annotations.NullMarked;
