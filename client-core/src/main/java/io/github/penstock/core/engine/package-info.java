/**
 * Everything between a limiter's call and an adapter's transport: keys, arguments, EVALSHA and its
 * fallback, deadlines, replies. Not for applications: adapters extend {@link
 * io.github.penstock.core.engine.TransportRateLimiters} or {@link
 * io.github.penstock.core.engine.AsyncTransportRateLimiters}, and everything else that is public is
 * for suites and simulations.
 */
@NullMarked
package io.github.penstock.core.engine;

import org.jspecify.annotations.NullMarked;
