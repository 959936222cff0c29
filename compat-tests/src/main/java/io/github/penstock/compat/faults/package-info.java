/** What goes wrong between a client and a server, on purpose: a proxy that loses and delays. */
@NullMarked
package io.github.penstock.compat.faults;

import org.jspecify.annotations.NullMarked;
