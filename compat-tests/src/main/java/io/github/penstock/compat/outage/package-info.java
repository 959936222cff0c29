/**
 * Outages that take too long for every run of the suite: {@code -Dpenstock.clients.long=true}
 * measures them for the page of all clients.
 */
@NullMarked
package io.github.penstock.compat.outage;

import org.jspecify.annotations.NullMarked;
