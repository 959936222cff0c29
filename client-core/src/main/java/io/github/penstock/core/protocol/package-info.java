/** Keys, arguments and replies as the published protocol has them. */
@NullMarked
package io.github.penstock.core.protocol;

import org.jspecify.annotations.NullMarked;
