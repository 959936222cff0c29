/**
 * Notifies {@link io.github.penstock.core.RateLimitListener}s of every call, and the log of
 * outages; chooses the outcome of a call that the server did not decide.
 */
@NullMarked
package io.github.penstock.core.internal.notice;

import org.jspecify.annotations.NullMarked;
