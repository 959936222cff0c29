@NullMarked
package io.github.penstock.report.text;

import org.jspecify.annotations.NullMarked;
