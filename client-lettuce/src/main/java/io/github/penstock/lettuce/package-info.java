/**
 * Rate limiters on a Lettuce client, blocking and asynchronous. {@link
 * io.github.penstock.lettuce.LettuceRateLimiters} is where to start; the other classes send each
 * call once and bound what waits.
 */
@NullMarked
package io.github.penstock.lettuce;

import org.jspecify.annotations.NullMarked;
