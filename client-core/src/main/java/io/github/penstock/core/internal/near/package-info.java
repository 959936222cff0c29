/**
 * Answers that need no trip: denials that are remembered (rules N1 to N6 of docs/protocol.md),
 * units that are leased (L1 to L8), and circuit breakers (F1). Not part of the API; public for
 * simulations, which supply their own time.
 */
@NullMarked
package io.github.penstock.core.internal.near;

import org.jspecify.annotations.NullMarked;
