@NullMarked
package io.github.penstock.report.table;

import org.jspecify.annotations.NullMarked;
