/** A Redis connection of our own, small enough to be read. */
@NullMarked
package io.github.penstock.compat.resp;

import org.jspecify.annotations.NullMarked;
