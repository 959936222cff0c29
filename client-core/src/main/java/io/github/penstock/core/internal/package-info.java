/** How limiters work; no API, may change with every version. */
@NullMarked
package io.github.penstock.core.internal;

import org.jspecify.annotations.NullMarked;
