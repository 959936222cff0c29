@NullMarked
package io.github.penstock.benchmarks.chapter;

import org.jspecify.annotations.NullMarked;
