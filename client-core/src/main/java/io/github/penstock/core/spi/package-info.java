/**
 * The ports that an adapter for a Redis client fills, one blocking and one asynchronous, with what
 * goes through them, and the URI that all adapters read alike.
 */
@NullMarked
package io.github.penstock.core.spi;

import org.jspecify.annotations.NullMarked;
