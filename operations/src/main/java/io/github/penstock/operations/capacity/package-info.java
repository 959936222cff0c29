/**
 * How much of a server a limit takes: memory for each family of servers, time, bytes on the wire.
 * Worked out from what was measured, or measured on a server that is filled for it.
 */
@NullMarked
package io.github.penstock.operations.capacity;

import org.jspecify.annotations.NullMarked;
