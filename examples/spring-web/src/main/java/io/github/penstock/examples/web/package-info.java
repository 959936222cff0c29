/** A web service with limits that application.yaml configures. */
package io.github.penstock.examples.web;
