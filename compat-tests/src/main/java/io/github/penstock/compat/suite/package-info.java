/**
 * The compatibility suite: the rules that every adapter must keep on every deployment, as tests
 * that an adapter inherits. {@link io.github.penstock.compat.suite.RateLimiterCompatibilityTest} is
 * the class to extend.
 */
@NullMarked
package io.github.penstock.compat.suite;

import org.jspecify.annotations.NullMarked;
