package io.github.penstock.core.internal.near;

/**
 * The content of a server's last denial of a key. Immutable.
 *
 * @param tier the tier that decided, from 1
 * @param remaining units of that tier that were free, of the limit that is decided about now
 * @param resetMicros when nothing of that tier would have been used, from the denial on
 * @param ageMicros how long ago that was
 */
public record LastDenial(int tier, long remaining, long resetMicros, long ageMicros) {}
