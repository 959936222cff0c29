/** The endpoint of Actuator that shows policies, and what a subject has used of one. */
@NullMarked
package io.github.penstock.spring.actuate;

import org.jspecify.annotations.NullMarked;
