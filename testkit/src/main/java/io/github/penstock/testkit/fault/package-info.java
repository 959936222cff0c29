/**
 * Faults between a client and a server: a proxy that loses, delays and cuts, and a port that never
 * accepts. A fault begins and ends when the test says so.
 */
@NullMarked
package io.github.penstock.testkit.fault;

import org.jspecify.annotations.NullMarked;
