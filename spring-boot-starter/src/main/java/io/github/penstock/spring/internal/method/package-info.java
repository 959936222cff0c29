/** Limits of methods: what stands before a method that has {@code @RateLimited}. */
@NullMarked
package io.github.penstock.spring.internal.method;

import org.jspecify.annotations.NullMarked;
