/** The subjects of requests as keys have them: addresses, hashed headers, and any text. */
@NullMarked
package io.github.penstock.spring.subject;

import org.jspecify.annotations.NullMarked;
