/**
 * The rules about failures: those that open a limit, that are always thrown, or that deny, and the
 * recovery of connections. Each failure is made by a real server or a proxy before one.
 */
@NullMarked
package io.github.penstock.compat.failure;

import org.jspecify.annotations.NullMarked;
