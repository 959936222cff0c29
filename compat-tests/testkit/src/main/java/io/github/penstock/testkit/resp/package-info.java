/**
 * A small Redis connection of our own, in RESP2 and RESP3. It exists so that tests can look at a
 * server without any client library.
 */
@NullMarked
package io.github.penstock.testkit.resp;

import org.jspecify.annotations.NullMarked;
