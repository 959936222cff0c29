/**
 * The interfaces between an adapter for a Redis client and core: the transports that it implements,
 * one blocking and one asynchronous, the calls that they carry, the URI that all adapters parse
 * alike, and the classes that connect, watch and close its clients. Its limiters extend a class of
 * {@code core.engine}.
 */
@NullMarked
package io.github.penstock.core.spi;

import org.jspecify.annotations.NullMarked;
