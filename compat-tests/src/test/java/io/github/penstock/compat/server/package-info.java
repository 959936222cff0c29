@NullMarked
package io.github.penstock.compat.server;

import org.jspecify.annotations.NullMarked;
