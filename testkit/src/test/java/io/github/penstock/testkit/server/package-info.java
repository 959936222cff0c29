@NullMarked
package io.github.penstock.testkit.server;

import org.jspecify.annotations.NullMarked;
