/**
 * Limits: an algorithm and its numbers, checked on creation, and their textual form. This package
 * does not depend on limiters or clients.
 */
@NullMarked
package io.github.penstock.core.limit;

import org.jspecify.annotations.NullMarked;
