package io.github.penstock.compat.load;

import static org.junit.platform.commons.support.AnnotationSupport.findAnnotation;

import io.github.penstock.testkit.resp.RespConnection;
import io.github.penstock.testkit.topology.SharedDeployments;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Skips a load test if the machine is slower than the test needs, and reports the measured speed. A
 * temporary pause does not mean a slow machine: the machine is measured again until it is fast
 * enough, at most 20 times.
 */
final class FastMachine implements ExecutionCondition {
  private static final int MOST_MEASUREMENTS = 20;
  private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static @Nullable MachineSpeed latest;
  private static long measuredNanos;

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    return context
        .getTestMethod()
        .flatMap(FastMachine::needed)
        .map(FastMachine::evaluate)
        .orElseGet(() -> ConditionEvaluationResult.enabled("each test is measured for"));
  }

  private static Optional<LoadTest> needed(Method method) {
    Optional<LoadTest> needed = findAnnotation(method, LoadTest.class);
    Class<?> around = method.getDeclaringClass();
    while (needed.isEmpty() && around != null) {
      needed = findAnnotation(around, LoadTest.class);
      around = around.getEnclosingClass();
    }
    return needed;
  }

  private static ConditionEvaluationResult evaluate(LoadTest needed) {
    MachineSpeed speed = speed(needed);
    return speed.isEnough(needed)
        ? ConditionEvaluationResult.enabled(speed.toString())
        : ConditionEvaluationResult.disabled(
            "load: needs %d calls a second and threads that wake within %d ms, but this machine makes %d and wakes them within %d"
                .formatted(
                    needed.callsPerSecond(),
                    needed.wakesWithinMillis(),
                    speed.callsPerSecond(),
                    speed.wakesWithinMillis()));
  }

  private static synchronized MachineSpeed speed(LoadTest needed) {
    MachineSpeed known = latest;
    if (known != null && System.nanoTime() - measuredNanos < FRESH_NANOS) {
      return known;
    }
    MachineSpeed measured = MachineSpeed.measured();
    for (int i = 1; i < MOST_MEASUREMENTS && !measured.isEnough(needed); i++) {
      measured = MachineSpeed.measured();
    }
    latest = measured;
    measuredNanos = System.nanoTime();
    return measured;
  }

  /**
   * The machine's speed before a test.
   *
   * @param callsPerSecond calls of a plain connection, one after another
   * @param wakesWithinMillis how late a sleeping thread was woken at most
   */
  private record MachineSpeed(long callsPerSecond, long wakesWithinMillis) {
    private static final long CALLING_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final int SLEEPS = 50;
    private static final long SLEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** Measures for a quarter of a second. */
    static MachineSpeed measured() {
      return new MachineSpeed(calls(), wakes());
    }

    boolean isEnough(LoadTest needed) {
      return callsPerSecond >= needed.callsPerSecond()
          && wakesWithinMillis <= needed.wakesWithinMillis();
    }

    private static long calls() {
      try (RespConnection connection = SharedDeployments.single().server().connect()) {
        long begun = System.nanoTime();
        long calls = 0;
        long passed;
        do {
          connection.call("PING");
          calls++;
          passed = System.nanoTime() - begun;
        } while (passed < CALLING_NANOS);
        return calls * TimeUnit.SECONDS.toNanos(1) / passed;
      }
    }

    private static long wakes() {
      long latest = 0;
      for (int i = 0; i < SLEEPS; i++) {
        long begun = System.nanoTime();
        LockSupport.parkNanos(SLEEP_NANOS);
        latest = Math.max(latest, System.nanoTime() - begun - SLEEP_NANOS);
      }
      return TimeUnit.NANOSECONDS.toMillis(latest);
    }
  }
}
