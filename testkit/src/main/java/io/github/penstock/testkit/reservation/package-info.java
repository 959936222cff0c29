/**
 * The exact model of reservations, in rational arithmetic, written from the protocol and not from
 * the scripts. What an entry that charges does is said by {@link
 * io.github.penstock.testkit.model.ExactModel}.
 */
@NullMarked
package io.github.penstock.testkit.reservation;

import org.jspecify.annotations.NullMarked;
