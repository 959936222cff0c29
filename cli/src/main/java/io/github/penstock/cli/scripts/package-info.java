/**
 * {@code ./penstock scripts}: what an operator does with the scripts on a running deployment, and
 * with the state that they keep there. Every command reaches each server over a connection of its
 * own, and exits with 0 only if it found nothing wrong.
 */
@NullMarked
package io.github.penstock.cli.scripts;

import org.jspecify.annotations.NullMarked;
