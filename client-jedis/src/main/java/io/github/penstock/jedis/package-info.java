/** Rate limiting on a Jedis client. */
@NullMarked
package io.github.penstock.jedis;

import org.jspecify.annotations.NullMarked;
