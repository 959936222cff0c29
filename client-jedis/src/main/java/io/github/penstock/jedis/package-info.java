/**
 * Rate limiters on a Jedis client. {@link io.github.penstock.jedis.JedisRateLimiters} is where to
 * start; the other classes send each call once and follow redirects.
 */
@NullMarked
package io.github.penstock.jedis;

import org.jspecify.annotations.NullMarked;
