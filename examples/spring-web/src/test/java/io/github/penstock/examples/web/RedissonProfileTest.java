package io.github.penstock.examples.web;

import org.springframework.test.context.ActiveProfiles;

/** The same on Redisson. */
@ActiveProfiles("redisson")
class RedissonProfileTest extends LimitedWebTest {}
