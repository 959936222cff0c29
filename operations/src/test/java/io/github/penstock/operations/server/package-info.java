@NullMarked
package io.github.penstock.operations.server;

import org.jspecify.annotations.NullMarked;
