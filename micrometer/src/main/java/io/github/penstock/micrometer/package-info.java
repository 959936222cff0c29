/** Listeners that report to Micrometer: meters, and events of observations. */
@NullMarked
package io.github.penstock.micrometer;

import org.jspecify.annotations.NullMarked;
