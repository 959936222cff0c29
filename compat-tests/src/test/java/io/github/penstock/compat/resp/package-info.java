@NullMarked
package io.github.penstock.compat.resp;

import org.jspecify.annotations.NullMarked;
