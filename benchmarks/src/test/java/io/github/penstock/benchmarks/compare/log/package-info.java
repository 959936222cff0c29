@NullMarked
package io.github.penstock.benchmarks.compare.log;

import org.jspecify.annotations.NullMarked;
