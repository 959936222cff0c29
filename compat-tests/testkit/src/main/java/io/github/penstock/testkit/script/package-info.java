/**
 * Calls the scripts in each of their forms: EVALSHA of the minified source, EVALSHA of the readable
 * one, FCALL. The tests use it, and the runner of the vectors.
 */
@NullMarked
package io.github.penstock.testkit.script;

import org.jspecify.annotations.NullMarked;
