/**
 * What an adapter for a Redis client needs: the transports that it implements, one blocking and one
 * asynchronous, the call that goes through them, the URI that all adapters read alike, and how its
 * clients are connected, watched and closed. Its limiters extend a class of {@code core.engine}.
 */
@NullMarked
package io.github.penstock.core.spi;

import org.jspecify.annotations.NullMarked;
