/**
 * The properties below {@code penstock}, and the beans that Spring Boot creates from them: limiters
 * on the application's client, policies, and the filters that apply them.
 */
@NullMarked
package io.github.penstock.spring.configure;

import org.jspecify.annotations.NullMarked;
