package io.github.penstock.benchmarks.jmh;

import org.openjdk.jmh.annotations.Param;

/**
 * What does a decision cost with other limiters on the same client?
 *
 * <pre>{@code
 * ./penstock jmh PeersBenchmark -prof gc -t 8 -p workload=ALLOWED,EXHAUSTED,HOT
 * ./penstock jmh PeersBenchmark -t 64 -p workload=HOT -p contender=PENSTOCK,BUCKET4J
 * }</pre>
 */
public class PeersBenchmark extends ClientBenchmark {
  @Param public Contender contender = Contender.PENSTOCK;

  @Param({"ALLOWED", "EXHAUSTED", "HOT"})
  public Workload workload = Workload.ALLOWED;

  @Override
  Turn turn() {
    String cannot = contender.cannot(client);
    if (!cannot.isEmpty()) {
      throw new UnsupportedOperationException(contender.title() + ": " + cannot);
    }
    return new Turn(Turn.Kind.PEER, contender.name(), workload, 1);
  }
}
