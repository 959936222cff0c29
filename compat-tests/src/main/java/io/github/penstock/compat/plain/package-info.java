/**
 * The smallest adapter: no client library, only sockets. An example of what an adapter fills, and
 * the other client in tests of two that share a key.
 */
@NullMarked
package io.github.penstock.compat.plain;

import org.jspecify.annotations.NullMarked;
