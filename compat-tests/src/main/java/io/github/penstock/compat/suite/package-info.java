/**
 * The compatibility suite: what every adapter must do, on every deployment and with faults, as
 * tests that an adapter inherits.
 */
@NullMarked
package io.github.penstock.compat.suite;

import org.jspecify.annotations.NullMarked;
