/**
 * Numbers, times and foreign text as readers get to see them, on a terminal and on a page. Every
 * figure of a report is formatted here.
 */
@NullMarked
package io.github.penstock.report.text;

import org.jspecify.annotations.NullMarked;
