/**
 * Failures of calls: classified once, from all causes of an exception, into the kinds of {@link
 * io.github.penstock.core.FailureKind}. Not for applications.
 */
@NullMarked
package io.github.penstock.core.failure;

import org.jspecify.annotations.NullMarked;
