/**
 * A result as one table: columns with a name and a kind of figure, and rows. A terminal, a page and
 * JSON are written from it.
 */
@NullMarked
package io.github.penstock.report.table;

import org.jspecify.annotations.NullMarked;
