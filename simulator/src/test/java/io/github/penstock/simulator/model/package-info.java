@NullMarked
package io.github.penstock.simulator.model;

import org.jspecify.annotations.NullMarked;
