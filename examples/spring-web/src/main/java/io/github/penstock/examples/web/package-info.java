/** A web service whose callers are limited, on the Redis connection that Spring Boot has made. */
package io.github.penstock.examples.web;
