/**
 * News of limiters besides their answers: to listeners, and to the log. Not for applications, which
 * implement {@link io.github.penstock.core.RateLimitListener}.
 */
@NullMarked
package io.github.penstock.core.notice;

import org.jspecify.annotations.NullMarked;
