/**
 * Reservations: several limits in one decision, with costs that are known afterwards. Values and
 * interfaces that know nothing but limits; {@code core.hold} implements them.
 */
@NullMarked
package io.github.penstock.core.reserve;

import org.jspecify.annotations.NullMarked;
