package io.github.penstock.benchmarks.bench;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.Consumer;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.runner.IterationType;
import org.openjdk.jmh.runner.format.OutputFormat;

/**
 * Hears from JMH of each iteration when it is over, because JMH's own results come only with the
 * last one. Safe for use by several threads.
 */
final class Turns {
  private static final String HEARD = "iterationResult";
  private final List<Tally> tallies;
  private final Consumer<List<Measured>> round;
  private int heard;

  /** Of a group, with what is called after each round. */
  Turns(Group group, boolean oneProcessor, Consumer<List<Measured>> round) {
    tallies = group.cases().stream().map(each -> new Tally(each, oneProcessor)).toList();
    this.round = round;
  }

  /** JMH's output, heard from on its way to {@code format}. */
  OutputFormat heardFrom(OutputFormat format) {
    return (OutputFormat)
        Proxy.newProxyInstance(
            OutputFormat.class.getClassLoader(),
            new Class<?>[] {OutputFormat.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals(HEARD)) {
                hear((IterationParams) arguments[1], (IterationResult) arguments[3]);
              }
              try {
                return method.invoke(format, arguments);
              } catch (InvocationTargetException failure) {
                throw failure.getCause();
              }
            });
  }

  /** Whether everyone had a turn. */
  synchronized boolean complete() {
    return heard >= tallies.size();
  }

  /** What is known now. */
  synchronized List<Measured> measured() {
    return tallies.stream().map(Tally::measured).toList();
  }

  private synchronized void hear(IterationParams parameters, IterationResult result) {
    if (parameters.getType() != IterationType.MEASUREMENT) {
      return;
    }
    tallies.get(heard % tallies.size()).add(result);
    heard++;
    if (heard % tallies.size() == 0) {
      round.accept(measured());
    }
  }
}
