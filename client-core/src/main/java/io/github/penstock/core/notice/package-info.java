/**
 * Notifies listeners of every call, and the log of outages. Not for applications, which implement
 * {@link io.github.penstock.core.RateLimitListener}.
 */
@NullMarked
package io.github.penstock.core.notice;

import org.jspecify.annotations.NullMarked;
