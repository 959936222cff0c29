/**
 * The servers of a running deployment: how they are found, reached, and looked at one by one. What
 * goes wrong is a sentence for whoever gave the command, and holds no password.
 */
@NullMarked
package io.github.penstock.cli.node;

import org.jspecify.annotations.NullMarked;
