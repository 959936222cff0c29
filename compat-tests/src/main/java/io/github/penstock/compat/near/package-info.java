/**
 * The rules about answers without a trip that only a real client on a real server can show: N1 to
 * N6, L1, L2, L4 and F1. Groups of tests that the suite runs for each client.
 */
@NullMarked
package io.github.penstock.compat.near;

import org.jspecify.annotations.NullMarked;
