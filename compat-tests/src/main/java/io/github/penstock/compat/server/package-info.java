/**
 * The servers that a test or a demonstration may run on, and the one place that decides which.
 *
 * <p>See {@link io.github.penstock.compat.server.TestServers}.
 */
@NullMarked
package io.github.penstock.compat.server;

import org.jspecify.annotations.NullMarked;
