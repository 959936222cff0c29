package io.github.penstock.benchmarks.run;

import io.github.penstock.benchmarks.plan.CaseGroup;
import io.github.penstock.benchmarks.result.MeasuredCase;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.Consumer;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.runner.IterationType;
import org.openjdk.jmh.runner.format.OutputFormat;

/**
 * Takes each iteration from JMH when it is over, because JMH's own results come only with the last
 * one. Safe for use by several threads.
 */
final class IterationListener {
  private static final String RESULT = "iterationResult";
  private final List<IterationStats> stats;
  private final Consumer<List<MeasuredCase>> round;
  private int iterations;

  /** The listener of a group, with the action after each round. */
  IterationListener(CaseGroup group, boolean oneProcessor, Consumer<List<MeasuredCase>> round) {
    stats = group.cases().stream().map(each -> new IterationStats(each, oneProcessor)).toList();
    this.round = round;
  }

  /** JMH's output, which passes here before {@code format}. */
  OutputFormat before(OutputFormat format) {
    return (OutputFormat)
        Proxy.newProxyInstance(
            OutputFormat.class.getClassLoader(),
            new Class<?>[] {OutputFormat.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals(RESULT)) {
                add((IterationParams) arguments[1], (IterationResult) arguments[3]);
              }
              try {
                return method.invoke(format, arguments);
              } catch (InvocationTargetException failure) {
                throw failure.getCause();
              }
            });
  }

  /** Returns whether each case had an iteration. */
  synchronized boolean complete() {
    return iterations >= stats.size();
  }

  /** The figures until now. */
  synchronized List<MeasuredCase> measured() {
    return stats.stream().map(IterationStats::measured).toList();
  }

  private synchronized void add(IterationParams parameters, IterationResult result) {
    if (parameters.getType() != IterationType.MEASUREMENT) {
      return;
    }
    stats.get(iterations % stats.size()).add(result);
    iterations++;
    if (iterations % stats.size() == 0) {
      round.accept(measured());
    }
  }
}
