/**
 * The bundle as an operator handles it: the scripts that can be loaded, and what the manifest says
 * of them. ACL users follow from it, each with the fewest rights that it needs.
 */
@NullMarked
package io.github.penstock.operations.bundle;

import org.jspecify.annotations.NullMarked;
