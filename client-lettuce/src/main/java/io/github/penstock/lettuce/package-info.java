/**
 * Rate limiters on a Lettuce client, blocking and asynchronous. Start with {@link
 * io.github.penstock.lettuce.LettuceRateLimiters}; the other classes send each call once and bound
 * all waits.
 */
@NullMarked
package io.github.penstock.lettuce;

import org.jspecify.annotations.NullMarked;
