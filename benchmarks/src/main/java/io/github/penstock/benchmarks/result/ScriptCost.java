package io.github.penstock.benchmarks.result;

import io.github.penstock.benchmarks.plan.ScriptCase;

/**
 * The cost of one call of a script on the server.
 *
 * @param micros microseconds that the server itself counts for it, in its best iteration; calls
 *     that were measured together were interleaved
 */
public record ScriptCost(ScriptCase call, double micros) {}
