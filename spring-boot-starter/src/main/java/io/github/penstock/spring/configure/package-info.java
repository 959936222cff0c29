/**
 * The properties below {@code penstock}, and the beans that Spring Boot makes of them: limiters on
 * the client that the application has, policies, and the filters that ask them.
 */
@NullMarked
package io.github.penstock.spring.configure;

import org.jspecify.annotations.NullMarked;
