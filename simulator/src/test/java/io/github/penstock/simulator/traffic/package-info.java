@NullMarked
package io.github.penstock.simulator.traffic;

import org.jspecify.annotations.NullMarked;
