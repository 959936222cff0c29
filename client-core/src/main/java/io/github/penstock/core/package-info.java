/**
 * Rate limiting on Redis and Valkey: limits, limiters and decisions, independent of any client.
 *
 * <p>An application takes a {@link io.github.penstock.core.RateLimiters} from the adapter of its
 * client and makes {@link io.github.penstock.core.RateLimiter}s with it.
 */
@NullMarked
package io.github.penstock.core;

import org.jspecify.annotations.NullMarked;
