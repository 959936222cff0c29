/**
 * The commands of {@code ./penstock} and their options. A command checks its options, hands over to
 * the module that does the work, and prints what that found out.
 */
@NullMarked
package io.github.penstock.cli;

import org.jspecify.annotations.NullMarked;
