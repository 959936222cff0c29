/**
 * Calls the scripts in each form in which they can be called: EVALSHA minified, EVALSHA readable,
 * FCALL. Tests, vectors and the simulator share it.
 */
@NullMarked
package io.github.penstock.testkit.script;

import org.jspecify.annotations.NullMarked;
