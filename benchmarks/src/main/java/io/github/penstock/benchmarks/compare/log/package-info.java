/**
 * Reads requests from logs: Common and Combined Log Format, CSV, JSON Lines, plain or gzip, in
 * memory that does not grow with the log.
 */
@NullMarked
package io.github.penstock.benchmarks.compare.log;

import org.jspecify.annotations.NullMarked;
