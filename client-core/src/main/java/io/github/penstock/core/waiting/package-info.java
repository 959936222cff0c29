/**
 * Calls that wait: for a connection, and for units. Not for applications, which call {@link
 * io.github.penstock.core.RateLimiter}.
 */
@NullMarked
package io.github.penstock.core.waiting;

import org.jspecify.annotations.NullMarked;
