@NullMarked
package io.github.penstock.compat;

import org.jspecify.annotations.NullMarked;
