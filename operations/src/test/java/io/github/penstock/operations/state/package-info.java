@NullMarked
package io.github.penstock.operations.state;

import org.jspecify.annotations.NullMarked;
