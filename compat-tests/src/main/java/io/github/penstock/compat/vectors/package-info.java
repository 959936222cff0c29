/** The published vectors: what they hold, how they are replayed, and how they are generated. */
@NullMarked
package io.github.penstock.compat.vectors;

import org.jspecify.annotations.NullMarked;
