@NullMarked
package io.github.penstock.cli;

import org.jspecify.annotations.NullMarked;
