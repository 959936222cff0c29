/**
 * Calls from many threads while something fails, and the count of what was charged. The suite's
 * rules about faults and outages are built on it.
 */
@NullMarked
package io.github.penstock.compat.load;

import org.jspecify.annotations.NullMarked;
