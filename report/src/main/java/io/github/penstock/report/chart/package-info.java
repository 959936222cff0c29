/**
 * Charts as SVG that is the same on every machine: horizontal bars, and lines over numbers, powers
 * of ten or time. Colours are variables of the page's style, so a chart follows light, dark and
 * print.
 */
@NullMarked
package io.github.penstock.report.chart;

import org.jspecify.annotations.NullMarked;
