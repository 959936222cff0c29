@NullMarked
package io.github.penstock.testkit.topology;

import org.jspecify.annotations.NullMarked;
