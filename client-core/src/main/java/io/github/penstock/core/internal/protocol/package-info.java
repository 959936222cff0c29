/** Keys, arguments and replies of the published protocol. */
@NullMarked
package io.github.penstock.core.internal.protocol;

import org.jspecify.annotations.NullMarked;
