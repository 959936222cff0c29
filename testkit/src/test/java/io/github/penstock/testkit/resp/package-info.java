@NullMarked
package io.github.penstock.testkit.resp;

import org.jspecify.annotations.NullMarked;
