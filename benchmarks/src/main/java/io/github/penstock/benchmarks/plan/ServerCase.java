package io.github.penstock.benchmarks.plan;

import io.github.penstock.benchmarks.limiter.BenchmarkCandidate;
import io.github.penstock.benchmarks.limiter.RedisClientType;
import io.github.penstock.benchmarks.limiter.SubjectWorkload;

/**
 * A limiter whose use of the server is measured.
 *
 * @param candidate the limiter
 * @param client through which client
 * @param workload who asks
 */
public record ServerCase(
    BenchmarkCandidate candidate, RedisClientType client, SubjectWorkload workload) {}
