@NullMarked
package io.github.penstock.benchmarks.report;

import org.jspecify.annotations.NullMarked;
