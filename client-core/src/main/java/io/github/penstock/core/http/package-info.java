/**
 * Decisions as HTTP says them: header fields and problem bodies, as text, for any server or
 * framework.
 */
@NullMarked
package io.github.penstock.core.http;

import org.jspecify.annotations.NullMarked;
