/**
 * A web service whose callers are limited, on the Redis connection that Spring Boot has made. An
 * interceptor decides about each request; the profiles choose the Redis client.
 */
package io.github.penstock.examples.web;
