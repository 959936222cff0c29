/**
 * Presents a comparison: the terminal's tables, the page's chapters and charts, the JSON file, the
 * pictures of docs/algorithms.md.
 */
@NullMarked
package io.github.penstock.simulator.report;

import org.jspecify.annotations.NullMarked;
