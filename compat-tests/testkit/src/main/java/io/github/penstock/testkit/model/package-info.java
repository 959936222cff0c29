/**
 * The algorithms in exact rational arithmetic, written from the protocol and not from the scripts.
 * Every type is immutable and safe for use by several threads, except {@link
 * io.github.penstock.testkit.model.ModelStore}.
 */
@NullMarked
package io.github.penstock.testkit.model;

import org.jspecify.annotations.NullMarked;
