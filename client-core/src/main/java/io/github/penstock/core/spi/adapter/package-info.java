/**
 * The limiters of an adapter, over the transport that it implements: everything that a user sees,
 * except how to connect.
 */
@NullMarked
package io.github.penstock.core.spi.adapter;

import org.jspecify.annotations.NullMarked;
