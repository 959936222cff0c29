/**
 * Reservations: several limits in one decision, for calls whose cost is known only afterwards. The
 * package contains values and interfaces that depend only on limits; {@code core.hold} implements
 * them.
 */
@NullMarked
package io.github.penstock.core.reserve;

import org.jspecify.annotations.NullMarked;
