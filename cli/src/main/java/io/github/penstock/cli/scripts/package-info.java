/**
 * {@code ./penstock scripts}: what an operator does with the scripts on a running deployment, and
 * with the state that they keep there. Every command reaches each server over a connection of its
 * own, and ends in exit code 0 only if all is as it should be.
 */
@NullMarked
package io.github.penstock.cli.scripts;

import org.jspecify.annotations.NullMarked;
