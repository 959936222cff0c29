/** Rate limiters on a Redisson client, blocking and asynchronous. */
@NullMarked
package io.github.penstock.redisson;

import org.jspecify.annotations.NullMarked;
