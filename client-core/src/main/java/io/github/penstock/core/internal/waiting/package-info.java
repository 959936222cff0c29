/** Calls that wait: for a connection, and for units. */
@NullMarked
package io.github.penstock.core.internal.waiting;

import org.jspecify.annotations.NullMarked;
