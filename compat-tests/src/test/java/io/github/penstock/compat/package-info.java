/**
 * The scripts of the bundle themselves, in each form on every server, held against the exact model
 * and the rules. No client is under test here.
 */
@NullMarked
package io.github.penstock.compat;

import org.jspecify.annotations.NullMarked;
