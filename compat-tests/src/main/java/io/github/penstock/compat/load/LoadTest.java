package io.github.penstock.compat.load;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Marks tests that make load or wait for seconds of silence. They have the tag {@code load}, run
 * one module at a time, and are skipped, with the measured speed, on a machine that is slower than
 * they need.
 */
@Tag(LoadTest.TAG)
@ExtendWith(FastMachine.class)
@ResourceLock(value = LoadTest.MACHINE, mode = ResourceAccessMode.READ)
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface LoadTest {
  /** The tag of these tests. */
  String TAG = "load";

  /** The lock on the machine: a flood has it to itself, other load tests share it. */
  String MACHINE = "penstock machine";

  /** The tag of rules that no client can change: tested once, over plain sockets. */
  String ONCE = "once";

  /** How many calls a second the machine must make, one after another, over a plain connection. */
  int callsPerSecond() default 2_000;

  /** How late the machine may wake a sleeping thread, in milliseconds. */
  int wakesWithinMillis() default 50;
}
