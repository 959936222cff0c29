/**
 * Reservations on real servers: calls of {@code reserve} and {@code settle} with all that they must
 * answer and store, read from the published vectors, and played.
 */
@NullMarked
package io.github.penstock.compat.reservation;

import org.jspecify.annotations.NullMarked;
