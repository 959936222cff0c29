/** Tests of reservations: random histories, vectors, and mistakes that these must find. */
@NullMarked
package io.github.penstock.compat.reservation;

import org.jspecify.annotations.NullMarked;
