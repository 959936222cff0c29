/** Limiters on the Redis client of the application: the choice of the client, and access to it. */
@NullMarked
package io.github.penstock.spring.internal.client;

import org.jspecify.annotations.NullMarked;
