/**
 * Reports for people: one self-contained HTML file, pictures first, and a JSON file beside it.
 *
 * <p>A command fills a {@link io.github.penstock.benchmarks.report.Report} with chapters, each of
 * findings, figures and tables, and writes it with {@link
 * io.github.penstock.benchmarks.report.ReportFiles}.
 */
@NullMarked
package io.github.penstock.benchmarks.report;

import org.jspecify.annotations.NullMarked;
