/**
 * Runs an adapter with another version of its client on the class path. Tests use it to show the
 * result for a team whose client is too old.
 */
@NullMarked
package io.github.penstock.compat.version;

import org.jspecify.annotations.NullMarked;
