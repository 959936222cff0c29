/**
 * Text for a terminal: aligned tables, progress, errors that the user can mend, an orderly stop on
 * Ctrl-C. Every command prints and fails through it.
 */
@NullMarked
package io.github.penstock.report.console;

import org.jspecify.annotations.NullMarked;
