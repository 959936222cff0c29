/**
 * Traffic: requests in the order of their times, the built-in scenarios, and the limits that they
 * are played against. Nothing here talks to a server.
 */
@NullMarked
package io.github.penstock.simulator.traffic;

import org.jspecify.annotations.NullMarked;
