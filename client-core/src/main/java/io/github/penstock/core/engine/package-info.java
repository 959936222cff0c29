/**
 * Everything between a limiter's call and an adapter's port: keys, arguments, EVALSHA and its
 * fallback, deadlines, replies. Adapters extend {@link
 * io.github.penstock.core.engine.PortRateLimiters} or {@link
 * io.github.penstock.core.engine.AsyncPortRateLimiters}; suites and simulations use {@link
 * io.github.penstock.core.engine.ScriptRunner}, {@link
 * io.github.penstock.core.engine.LimitEncoding} and {@link
 * io.github.penstock.core.engine.KeyFormat}; the rest is not public.
 */
@NullMarked
package io.github.penstock.core.engine;

import org.jspecify.annotations.NullMarked;
