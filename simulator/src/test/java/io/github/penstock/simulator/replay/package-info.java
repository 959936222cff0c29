@NullMarked
package io.github.penstock.simulator.replay;

import org.jspecify.annotations.NullMarked;
