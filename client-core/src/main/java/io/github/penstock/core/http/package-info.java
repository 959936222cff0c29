/**
 * Converts decisions to HTTP: RateLimit fields, Retry-After and problem bodies. The results are
 * text, for any server or framework.
 */
@NullMarked
package io.github.penstock.core.http;

import org.jspecify.annotations.NullMarked;
