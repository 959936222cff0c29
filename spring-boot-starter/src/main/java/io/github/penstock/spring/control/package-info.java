/**
 * Policies that are switched off or in dry run, by properties or at run time: the switches, and the
 * reports of policies that are not enforced.
 */
@NullMarked
package io.github.penstock.spring.control;

import org.jspecify.annotations.NullMarked;
