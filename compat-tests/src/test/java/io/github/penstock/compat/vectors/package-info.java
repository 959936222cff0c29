@NullMarked
package io.github.penstock.compat.vectors;

import org.jspecify.annotations.NullMarked;
