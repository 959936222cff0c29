/**
 * Real servers: embedded, from an executable, in a container, or one that runs already. {@link
 * io.github.penstock.testkit.server.TestServers} decides which a test runs on.
 */
@NullMarked
package io.github.penstock.testkit.server;

import org.jspecify.annotations.NullMarked;
