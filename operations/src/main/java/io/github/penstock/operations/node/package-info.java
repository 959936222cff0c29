/**
 * The servers of a running deployment: how they are found, reached, and looked at one by one.
 * Errors are sentences for whoever gave the command, and hold no password.
 */
@NullMarked
package io.github.penstock.operations.node;

import org.jspecify.annotations.NullMarked;
