/**
 * Turns decisions into HTTP: the RateLimit fields, Retry-After and problem bodies. All of it is
 * text, for any server or framework.
 */
@NullMarked
package io.github.penstock.core.http;

import org.jspecify.annotations.NullMarked;
