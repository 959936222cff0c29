/**
 * The exact model of reservations, in rational arithmetic, written from the protocol and not from
 * the scripts. {@link io.github.penstock.testkit.model.ExactModel} defines an entry that charges.
 */
@NullMarked
package io.github.penstock.testkit.reservation;

import org.jspecify.annotations.NullMarked;
