/**
 * What proves a limiter right: the exact model, the vectors and their runner, and the servers a
 * test may run on.
 *
 * <p>Nothing here depends on a Redis client library, so that it runs beside any version of any
 * client.
 */
@NullMarked
package io.github.penstock.compat;

import org.jspecify.annotations.NullMarked;
