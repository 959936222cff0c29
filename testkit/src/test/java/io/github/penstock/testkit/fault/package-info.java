@NullMarked
package io.github.penstock.testkit.fault;

import org.jspecify.annotations.NullMarked;
