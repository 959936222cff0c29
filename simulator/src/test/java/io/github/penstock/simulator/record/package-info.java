@NullMarked
package io.github.penstock.simulator.record;

import org.jspecify.annotations.NullMarked;
