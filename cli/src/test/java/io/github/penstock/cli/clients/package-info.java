@NullMarked
package io.github.penstock.cli.clients;

import org.jspecify.annotations.NullMarked;
