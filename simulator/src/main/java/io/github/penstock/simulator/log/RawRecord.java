package io.github.penstock.simulator.log;

import org.jspecify.annotations.Nullable;

/**
 * The text of a record as it stands in a log.
 *
 * @param line its first one, from 1
 * @param text all of it
 * @param unreadable why nothing can be made of it; null if something may
 */
record RawRecord(long line, String text, @Nullable String unreadable) {}
