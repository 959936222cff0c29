/** Limits in memory, in longs: the arithmetic of the scripts, and the tables of subjects. */
@NullMarked
package io.github.penstock.local.internal;

import org.jspecify.annotations.NullMarked;
