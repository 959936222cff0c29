/** Calls of one subject that share a trip to the server (rules C1 to C6 of docs/protocol.md). */
@NullMarked
package io.github.penstock.core.internal.trips;

import org.jspecify.annotations.NullMarked;
