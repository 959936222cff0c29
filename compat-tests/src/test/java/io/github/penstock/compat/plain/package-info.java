@NullMarked
package io.github.penstock.compat.plain;

import org.jspecify.annotations.NullMarked;
