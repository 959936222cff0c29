/**
 * One run of {@code ./penstock bench}: its steps in order, their progress, the JVMs that JMH
 * starts. The report is written after each step.
 */
@NullMarked
package io.github.penstock.benchmarks.run;

import org.jspecify.annotations.NullMarked;
