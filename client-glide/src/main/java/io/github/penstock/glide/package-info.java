/**
 * Rate limiters on a Valkey GLIDE client of a single server, blocking and asynchronous. {@link
 * io.github.penstock.glide.GlideRateLimiters} is where to start; the other classes send each call
 * once.
 */
@NullMarked
package io.github.penstock.glide;

import org.jspecify.annotations.NullMarked;
