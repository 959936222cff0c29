@NullMarked
package io.github.penstock.report.console;

import org.jspecify.annotations.NullMarked;
