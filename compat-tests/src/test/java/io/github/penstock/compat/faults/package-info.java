@NullMarked
package io.github.penstock.compat.faults;

import org.jspecify.annotations.NullMarked;
