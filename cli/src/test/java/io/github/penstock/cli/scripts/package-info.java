@NullMarked
package io.github.penstock.cli.scripts;

import org.jspecify.annotations.NullMarked;
