/**
 * Connects and closes the clients behind limiters: transports whose client a supplier makes or
 * hands out, and a close that waits only so long. For adapters, not for applications.
 */
@NullMarked
package io.github.penstock.core.connect;

import org.jspecify.annotations.NullMarked;
