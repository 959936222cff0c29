@NullMarked
package io.github.penstock.benchmarks.compare;

import org.jspecify.annotations.NullMarked;
