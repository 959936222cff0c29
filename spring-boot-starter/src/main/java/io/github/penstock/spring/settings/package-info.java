/** The properties below {@code penstock}. */
@NullMarked
package io.github.penstock.spring.settings;

import org.jspecify.annotations.NullMarked;
