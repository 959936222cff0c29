@NullMarked
package io.github.penstock.report.chart;

import org.jspecify.annotations.NullMarked;
