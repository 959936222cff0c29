/**
 * Adapters on versions of their clients that are too old for them: what a team gets that has one on
 * its class path.
 */
@NullMarked
package io.github.penstock.compat.version;

import org.jspecify.annotations.NullMarked;
