/**
 * Limits: an algorithm and its numbers, checked when they are made, and their text. They know
 * nothing of limiters and clients.
 */
@NullMarked
package io.github.penstock.core.limit;

import org.jspecify.annotations.NullMarked;
