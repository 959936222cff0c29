/**
 * A policy of HTTP requests: which requests it is about, whom each counts for, what it costs, and
 * the answer to one that is denied.
 */
@NullMarked
package io.github.penstock.spring.request;

import org.jspecify.annotations.NullMarked;
