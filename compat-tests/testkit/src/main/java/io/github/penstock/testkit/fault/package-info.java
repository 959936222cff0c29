/**
 * Faults between a client and a server: a proxy that drops or delays replies and cuts connections,
 * and a port that never accepts one. A fault begins and ends when the test says so.
 */
@NullMarked
package io.github.penstock.testkit.fault;

import org.jspecify.annotations.NullMarked;
