/**
 * What the names of keys say and what their stored values mean: of the protocol's scripts by the
 * exact model, of the drop-ins as their page says.
 */
@NullMarked
package io.github.penstock.cli.state;

import org.jspecify.annotations.NullMarked;
