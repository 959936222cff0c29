/**
 * The verdict on a node: whether it answers, which decides how its late calls end. Not for
 * applications.
 */
@NullMarked
package io.github.penstock.core.internal.node;

import org.jspecify.annotations.NullMarked;
