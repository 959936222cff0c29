/**
 * Limiters for an application's own tests: {@link io.github.penstock.test.TestRateLimiters} with a
 * clock that the test moves, outages on demand and recorded calls; assertions; and a JUnit
 * extension that starts a real server.
 */
@NullMarked
package io.github.penstock.test;

import org.jspecify.annotations.NullMarked;
