@NullMarked
package io.github.penstock.operations.capacity;

import org.jspecify.annotations.NullMarked;
