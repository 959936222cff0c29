@NullMarked
package io.github.penstock.benchmarks.bench;

import org.jspecify.annotations.NullMarked;
