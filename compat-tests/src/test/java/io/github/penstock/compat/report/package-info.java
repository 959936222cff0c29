@NullMarked
package io.github.penstock.compat.report;

import org.jspecify.annotations.NullMarked;
