/**
 * Limiters in the memory of one process: {@link io.github.penstock.local.LocalRateLimiters} without
 * a server, and each process's share of a limit in an outage ({@link
 * io.github.penstock.core.OnUnavailable#local(int)}).
 */
@NullMarked
package io.github.penstock.local;

import org.jspecify.annotations.NullMarked;
