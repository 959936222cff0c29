@NullMarked
package io.github.penstock.simulator.stats;

import org.jspecify.annotations.NullMarked;
