/**
 * The measurements that the suites leave behind, one file per client: {@code ./penstock clients}
 * makes docs/clients.md of them.
 */
@NullMarked
package io.github.penstock.compat.result;

import org.jspecify.annotations.NullMarked;
