/** A web service whose callers are limited by what application.yaml says. */
package io.github.penstock.examples.web;
