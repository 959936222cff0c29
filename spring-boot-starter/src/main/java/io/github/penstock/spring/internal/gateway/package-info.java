/** Policies of routes of Spring Cloud Gateway. */
@NullMarked
package io.github.penstock.spring.internal.gateway;

import org.jspecify.annotations.NullMarked;
