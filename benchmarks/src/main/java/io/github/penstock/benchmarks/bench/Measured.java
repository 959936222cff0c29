package io.github.penstock.benchmarks.bench;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What came out of a case.
 *
 * @param question as {@link Case#question}
 * @param what as {@link Case#what}
 * @param client as {@link Case#client}
 * @param workload as {@link Case#workload}
 * @param tiers as {@link Case#tiers}
 * @param threads as {@link Case#threads}
 * @param oneProcessor whether client and server were bound to one processor
 * @param perSecond decisions a second of all threads together, the median of the turns; of blocking
 *     threads it is their number divided by the mean time of a decision
 * @param p50Micros microseconds per decision as the caller sees it, the median
 * @param p99Micros of a hundred decisions the slowest
 * @param p999Micros of a thousand decisions the slowest
 * @param bytesPerCall bytes that the client's process allocated per decision
 * @param turns {@code perSecond} of each turn; figures of the same client and as many threads were
 *     measured by turns, so those of one round belong together
 * @param problem why there is no figure, null if there is
 */
record Measured(
    Question question,
    String what,
    String client,
    String workload,
    int tiers,
    int threads,
    boolean oneProcessor,
    double perSecond,
    double p50Micros,
    double p99Micros,
    double p999Micros,
    double bytesPerCall,
    List<Double> turns,
    @Nullable String problem) {

  private Measured(
      Case what,
      boolean oneProcessor,
      double perSecond,
      double p50Micros,
      double p99Micros,
      double p999Micros,
      double bytesPerCall,
      List<Double> turns,
      @Nullable String problem) {
    this(
        what.question(),
        what.what(),
        what.client().title(),
        what.workload().name(),
        what.tiers(),
        what.threads(),
        oneProcessor,
        perSecond,
        p50Micros,
        p99Micros,
        p999Micros,
        bytesPerCall,
        turns,
        problem);
  }

  /** A case that was measured, turn by turn. */
  static Measured of(
      Case what,
      boolean oneProcessor,
      List<Double> turns,
      double p50Micros,
      double p99Micros,
      double p999Micros,
      double bytesPerCall) {
    return new Measured(
        what,
        oneProcessor,
        Ratios.median(turns),
        p50Micros,
        p99Micros,
        p999Micros,
        bytesPerCall,
        List.copyOf(turns),
        null);
  }

  /** A case of which there is no figure. */
  static Measured failed(Case what, String problem) {
    return new Measured(what, false, 0, 0, 0, 0, 0, List.of(), problem);
  }

  /** Whether this is about the same case. */
  boolean sameCase(Measured other) {
    return question == other.question
        && what.equals(other.what)
        && client.equals(other.client)
        && workload.equals(other.workload)
        && tiers == other.tiers
        && threads == other.threads;
  }

  /** Whether there is a figure. */
  boolean present() {
    return problem == null;
  }
}
