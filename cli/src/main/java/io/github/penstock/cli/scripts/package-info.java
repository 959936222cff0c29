/**
 * {@code ./penstock scripts}: the commands about the scripts and their state on a running
 * deployment, their options, and what they print for people or as JSON. Listing and ACL users reach
 * no server, a key is read on the one that owns it, loading and verifying reach every one.
 */
@NullMarked
package io.github.penstock.cli.scripts;

import org.jspecify.annotations.NullMarked;
