/**
 * The rules about failures: what opens a limit, what is thrown whatever was chosen, what is denied,
 * and that connections heal. Each failure is made by a real server or a proxy before one.
 */
@NullMarked
package io.github.penstock.compat.failure;

import org.jspecify.annotations.NullMarked;
