@NullMarked
package io.github.penstock.compat.topology;

import org.jspecify.annotations.NullMarked;
