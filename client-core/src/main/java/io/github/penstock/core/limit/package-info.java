/**
 * Limits and their textual form. A limit consists of an algorithm and its numbers. It is validated
 * when it is created. This package does not depend on limiters or clients.
 */
@NullMarked
package io.github.penstock.core.limit;

import org.jspecify.annotations.NullMarked;
