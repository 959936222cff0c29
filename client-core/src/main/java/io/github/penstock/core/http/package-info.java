/**
 * Converts decisions to {@code RateLimit} fields, {@code Retry-After} fields and problem bodies for
 * HTTP responses. The results are text, so any server or framework can send them.
 */
@NullMarked
package io.github.penstock.core.http;

import org.jspecify.annotations.NullMarked;
