package io.github.penstock.simulator.stats;

import io.github.penstock.core.limit.LimitTier;

/**
 * The most of one subject that passed in any span of a tier's length, over all subjects.
 *
 * @param tier of which limit
 * @param most units
 * @param endUs when the last request of that span went ahead, in microseconds since 1970
 * @param subject whose span it was; empty if nothing passed
 * @param exact false if times had to be grouped to save memory, so that it is at most {@code most}
 */
public record PeakUsage(LimitTier tier, long most, long endUs, String subject, boolean exact) {}
