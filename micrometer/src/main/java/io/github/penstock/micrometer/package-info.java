/** Listeners that tell Micrometer what limiters do: meters, and events of observations. */
@NullMarked
package io.github.penstock.micrometer;

import org.jspecify.annotations.NullMarked;
