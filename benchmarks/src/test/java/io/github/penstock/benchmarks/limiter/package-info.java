@NullMarked
package io.github.penstock.benchmarks.limiter;

import org.jspecify.annotations.NullMarked;
