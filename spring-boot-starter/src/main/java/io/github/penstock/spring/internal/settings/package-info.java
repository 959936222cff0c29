/** The properties below {@code penstock}. */
@NullMarked
package io.github.penstock.spring.internal.settings;

import org.jspecify.annotations.NullMarked;
