/**
 * The transports that an adapter implements, one blocking or one asynchronous, and the calls that
 * they carry. {@code core.spi.adapter} makes limiters of a transport.
 */
@NullMarked
package io.github.penstock.core.spi;

import org.jspecify.annotations.NullMarked;
