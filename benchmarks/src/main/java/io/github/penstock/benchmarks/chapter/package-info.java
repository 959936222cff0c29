/**
 * The chapters of bench.html: tables, charts and findings made of a run's results. Nothing is
 * measured here.
 */
@NullMarked
package io.github.penstock.benchmarks.chapter;

import org.jspecify.annotations.NullMarked;
