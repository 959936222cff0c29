/**
 * Reports for people: one self-contained HTML file with charts and tables, and a JSON file beside
 * it. A command fills a {@link io.github.penstock.report.ReportDocument} and writes it with {@link
 * io.github.penstock.report.ReportFiles}.
 */
@NullMarked
package io.github.penstock.report;

import org.jspecify.annotations.NullMarked;
