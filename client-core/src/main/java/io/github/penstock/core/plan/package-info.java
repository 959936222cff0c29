/**
 * How a call for units goes on, in one order: decided in this process, kept from a node that does
 * not answer, or sent; and how its outcome is converted.
 */
@NullMarked
package io.github.penstock.core.plan;

import org.jspecify.annotations.NullMarked;
