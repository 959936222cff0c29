/**
 * {@code ./penstock bench}: what each algorithm costs with each client, beside floors and peers,
 * measured and reported.
 */
@NullMarked
package io.github.penstock.benchmarks.bench;

import org.jspecify.annotations.NullMarked;
