/**
 * Reservations, which make one decision under several limits. Use them for calls whose cost is not
 * known in advance. The values and interfaces of this package depend only on limits. {@code
 * core.hold} implements the interfaces.
 */
@NullMarked
package io.github.penstock.core.reserve;

import org.jspecify.annotations.NullMarked;
