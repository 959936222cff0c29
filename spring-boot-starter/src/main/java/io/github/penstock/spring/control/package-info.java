/**
 * Policies that are switched off or run dry, by properties or while the application runs: the
 * switches, and the reports of what is not enforced.
 */
@NullMarked
package io.github.penstock.spring.control;

import org.jspecify.annotations.NullMarked;
