/**
 * The drop-ins: a model of each, written from docs/drop-ins.md in Java's doubles, the sequences of
 * their vectors, and their tests. Beside it lie renderings of the old scripts, which share keys
 * with ours in the tests of a rolling deployment.
 */
@NullMarked
package io.github.penstock.compat.dropin;

import org.jspecify.annotations.NullMarked;
