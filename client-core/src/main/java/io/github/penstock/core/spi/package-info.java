/**
 * The transports that an adapter for a Redis client fills, one blocking and one asynchronous, and
 * what goes through them. The URI that all adapters read alike is here, too.
 */
@NullMarked
package io.github.penstock.core.spi;

import org.jspecify.annotations.NullMarked;
