@NullMarked
package io.github.penstock.simulator.report;

import org.jspecify.annotations.NullMarked;
