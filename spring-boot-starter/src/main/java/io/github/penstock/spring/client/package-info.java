/** Limiters on the Redis client that the application has: which one, and how it is taken. */
@NullMarked
package io.github.penstock.spring.client;

import org.jspecify.annotations.NullMarked;
