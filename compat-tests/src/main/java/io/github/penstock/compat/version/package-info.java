/**
 * Runs an adapter with another version of its client on the class path. Tests show by it what a
 * team gets whose client is too old.
 */
@NullMarked
package io.github.penstock.compat.version;

import org.jspecify.annotations.NullMarked;
