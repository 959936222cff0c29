/**
 * A policy of HTTP requests: its requests, their subjects and costs, and the response to one that
 * is denied.
 */
@NullMarked
package io.github.penstock.spring.internal.request;

import org.jspecify.annotations.NullMarked;
