/**
 * Presents a comparison: the terminal's tables, the page's chapters and charts, the JSON file, the
 * pictures of docs/algorithms.md and docs/near.md. Figures come from {@code simulator.stats};
 * nothing is counted here.
 */
@NullMarked
package io.github.penstock.simulator.report;

import org.jspecify.annotations.NullMarked;
