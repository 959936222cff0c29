@NullMarked
package io.github.penstock.compat.suite;

import org.jspecify.annotations.NullMarked;
