/** The subjects of requests in the form of keys: addresses, hashed headers, and any text. */
@NullMarked
package io.github.penstock.spring.internal.subject;

import org.jspecify.annotations.NullMarked;
