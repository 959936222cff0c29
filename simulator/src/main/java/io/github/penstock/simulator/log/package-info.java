/**
 * Reads requests from whole logs, plain or gzip, in memory that does not grow with the log. {@link
 * io.github.penstock.simulator.log.LogSource} merges several logs by time.
 */
@NullMarked
package io.github.penstock.simulator.log;

import org.jspecify.annotations.NullMarked;
