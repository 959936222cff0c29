/**
 * The progress of a call for units, in one order: decided in this process, withheld from an
 * unresponsive node, or sent; and the conversion of its outcome.
 */
@NullMarked
package io.github.penstock.core.internal.plan;

import org.jspecify.annotations.NullMarked;
