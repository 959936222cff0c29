/**
 * What an adapter for a Redis client fills and uses: the port, one blocking and one asynchronous,
 * and the limiters that work through it.
 */
@NullMarked
package io.github.penstock.core.spi;

import org.jspecify.annotations.NullMarked;
