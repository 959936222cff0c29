/**
 * Reads one record of a log in each format: Common and Combined Log Format, CSV, JSON Lines. Rules
 * say which field is the subject, the time and the cost.
 */
@NullMarked
package io.github.penstock.simulator.record;

import org.jspecify.annotations.NullMarked;
