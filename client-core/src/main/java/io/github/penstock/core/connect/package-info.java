/**
 * Clients that are not connected yet, or are closed: ports that ask a supplier for theirs. For
 * adapters, not for applications.
 */
@NullMarked
package io.github.penstock.core.connect;

import org.jspecify.annotations.NullMarked;
