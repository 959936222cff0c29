package io.github.penstock.examples.web;

import org.springframework.test.context.ActiveProfiles;

/** The same on Jedis. */
@ActiveProfiles("jedis")
class JedisProfileTest extends LimitedWebTest {}
