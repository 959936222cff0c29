@NullMarked
package io.github.penstock.report;

import org.jspecify.annotations.NullMarked;
