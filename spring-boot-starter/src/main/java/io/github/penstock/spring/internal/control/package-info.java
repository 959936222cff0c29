/** How policies that are switched off or run dry are read and reported. */
@NullMarked
package io.github.penstock.spring.internal.control;

import org.jspecify.annotations.NullMarked;
