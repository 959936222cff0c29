/**
 * Deployments that a client connects to: one server, a cluster, a primary with its replica and
 * sentinels. Each can be stopped, killed and resharded while clients use it.
 */
@NullMarked
package io.github.penstock.testkit.topology;

import org.jspecify.annotations.NullMarked;
