/**
 * Reads requests from whole logs, plain or gzip, in memory that does not grow with the log. {@link
 * io.github.penstock.simulator.log.SortedLog} sorts them by time.
 */
@NullMarked
package io.github.penstock.simulator.log;

import org.jspecify.annotations.NullMarked;
