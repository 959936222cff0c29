/**
 * Everything between a limiter's call and an adapter's transport: keys, arguments, EVALSHA and its
 * fallback, deadlines, replies.
 */
@NullMarked
package io.github.penstock.core.internal.engine;

import org.jspecify.annotations.NullMarked;
