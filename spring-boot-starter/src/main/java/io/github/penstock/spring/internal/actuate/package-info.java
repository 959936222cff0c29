/** The Actuator endpoint that shows policies, and the usage of one by a subject. */
@NullMarked
package io.github.penstock.spring.internal.actuate;

import org.jspecify.annotations.NullMarked;
