/**
 * Runs scripts through an adapter with any key, arguments and time. The suite's rules about
 * exactness are built on it.
 */
@NullMarked
package io.github.penstock.compat.script;

import org.jspecify.annotations.NullMarked;
