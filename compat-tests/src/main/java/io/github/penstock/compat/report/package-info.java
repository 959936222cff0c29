/** Turns what the suites measured into a page for people. */
@NullMarked
package io.github.penstock.compat.report;

import org.jspecify.annotations.NullMarked;
