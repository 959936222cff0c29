/**
 * The smallest adapter: plain connections and no client library. It is the example for authors of
 * adapters, and the other client in tests of two clients on one key.
 */
@NullMarked
package io.github.penstock.compat.plain;

import org.jspecify.annotations.NullMarked;
