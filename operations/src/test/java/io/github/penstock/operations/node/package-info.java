@NullMarked
package io.github.penstock.operations.node;

import org.jspecify.annotations.NullMarked;
