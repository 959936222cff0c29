@NullMarked
package io.github.penstock.benchmarks.result;

import org.jspecify.annotations.NullMarked;
