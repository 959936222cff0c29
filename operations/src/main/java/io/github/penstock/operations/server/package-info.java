/**
 * The one server that a command works on: found or started, checked, and left without the keys that
 * were written there. Failures become sentences that tell what to do.
 */
@NullMarked
package io.github.penstock.operations.server;

import org.jspecify.annotations.NullMarked;
