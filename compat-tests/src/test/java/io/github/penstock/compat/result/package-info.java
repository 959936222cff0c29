@NullMarked
package io.github.penstock.compat.result;

import org.jspecify.annotations.NullMarked;
