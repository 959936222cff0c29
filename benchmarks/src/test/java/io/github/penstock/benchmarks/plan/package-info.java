@NullMarked
package io.github.penstock.benchmarks.plan;

import org.jspecify.annotations.NullMarked;
