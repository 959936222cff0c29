/** Limits of methods: {@link RateLimited}, and the proxies of methods that have it. */
@NullMarked
package io.github.penstock.spring.method;

import org.jspecify.annotations.NullMarked;
