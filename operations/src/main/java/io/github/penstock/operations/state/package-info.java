/**
 * Explains and removes keys: the limit and subject that a name says, and what is used and left by
 * the stored value. Keys of the protocol's scripts are read by the exact model, those of the
 * drop-ins as docs/drop-ins.md defines them.
 */
@NullMarked
package io.github.penstock.operations.state;

import org.jspecify.annotations.NullMarked;
