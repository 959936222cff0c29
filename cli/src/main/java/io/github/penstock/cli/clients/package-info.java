/**
 * {@code ./penstock clients}: docs/clients.md, made of the measurements that the clients' suites
 * leave behind.
 */
@NullMarked
package io.github.penstock.cli.clients;

import org.jspecify.annotations.NullMarked;
