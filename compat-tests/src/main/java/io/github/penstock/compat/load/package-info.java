/**
 * Calls from many threads during a failure, and the count of their charges. The suite's rules about
 * faults and outages are built on it.
 */
@NullMarked
package io.github.penstock.compat.load;

import org.jspecify.annotations.NullMarked;
