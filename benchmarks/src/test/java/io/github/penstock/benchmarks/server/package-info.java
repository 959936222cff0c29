@NullMarked
package io.github.penstock.benchmarks.server;

import org.jspecify.annotations.NullMarked;
