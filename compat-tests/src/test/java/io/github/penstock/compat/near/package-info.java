/** The near layer of three processes on a simulated network, beside the exact model. */
@NullMarked
package io.github.penstock.compat.near;

import org.jspecify.annotations.NullMarked;
