@NullMarked
package io.github.penstock.benchmarks.jmh;

import org.jspecify.annotations.NullMarked;
