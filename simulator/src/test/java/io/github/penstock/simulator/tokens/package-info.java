@NullMarked
package io.github.penstock.simulator.tokens;

import org.jspecify.annotations.NullMarked;
