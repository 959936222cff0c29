/**
 * The reading of a directory of scripts. It flattens, parses and checks each, and hands on those
 * that break no rule.
 */
@NullMarked
package io.github.penstock.lua.maven.script;

import org.jspecify.annotations.NullMarked;
