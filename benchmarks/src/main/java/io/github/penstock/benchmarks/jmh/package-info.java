/**
 * The benchmarks themselves, for JMH: one question per class, the command that asks it in the
 * class's description. {@code ./penstock jmh -h} shows JMH's own options, all of which work.
 *
 * <p>Without {@code -jvmArgs -Dpenstock.redis=redis://...} every fork starts an embedded Redis.
 * Every benchmark writes under a random prefix of its own, and removes it.
 */
@NullMarked
package io.github.penstock.benchmarks.jmh;

import org.jspecify.annotations.NullMarked;
