/**
 * Failures of calls: classified once, from all causes of an exception, into the kinds of {@link
 * io.github.penstock.core.FailureKind}.
 */
@NullMarked
package io.github.penstock.core.internal.failure;

import org.jspecify.annotations.NullMarked;
