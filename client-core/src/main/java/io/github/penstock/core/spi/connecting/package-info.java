/**
 * For adapters that connect by a URI, or take a client or a supplier of one: the URI that all of
 * them parse alike, the passwords that no exception may show, and the client that a supplier makes.
 */
@NullMarked
package io.github.penstock.core.spi.connecting;

import org.jspecify.annotations.NullMarked;
