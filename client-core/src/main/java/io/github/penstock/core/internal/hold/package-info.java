/**
 * Implements {@code core.reserve}: a call is planned once, as keys, arguments and the meaning of
 * its outcome; a blocking and an asynchronous driver send it.
 */
@NullMarked
package io.github.penstock.core.internal.hold;

import org.jspecify.annotations.NullMarked;
