/** Limits of methods: {@link RateLimited}, and what stands before a method that has it. */
@NullMarked
package io.github.penstock.spring.method;

import org.jspecify.annotations.NullMarked;
