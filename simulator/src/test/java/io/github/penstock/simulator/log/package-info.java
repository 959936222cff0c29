@NullMarked
package io.github.penstock.simulator.log;

import org.jspecify.annotations.NullMarked;
