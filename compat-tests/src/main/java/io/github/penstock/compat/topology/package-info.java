/** Servers that belong together: one alone, a cluster, a primary with its replica and sentinels. */
@NullMarked
package io.github.penstock.compat.topology;

import org.jspecify.annotations.NullMarked;
