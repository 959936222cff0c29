/**
 * Rate limiters on a Redisson client, blocking and asynchronous. {@link
 * io.github.penstock.redisson.RedissonRateLimiters} is where to start; the other classes send each
 * call once.
 */
@NullMarked
package io.github.penstock.redisson;

import org.jspecify.annotations.NullMarked;
