package io.github.penstock.simulator.traffic;

import org.agrona.collections.LongHashSet;

/**
 * A stratified sample of subjects: those of a share have its weight, and the heaviest, all of which
 * are taken, have the weight 1.
 *
 * @param heavy by their hashes
 * @param requests of all subjects
 */
public record SubjectSample(SubjectShare share, LongHashSet heavy, long requests) {
  public static final SubjectSample ALL = new SubjectSample(SubjectShare.ALL, new LongHashSet(), 0);

  /** Returns whether it is everybody. */
  public boolean isWhole() {
    return share.isWhole();
  }

  /** Returns whether a subject with this hash is in it. */
  public boolean has(long hash) {
    return share.has(hash) || heavy.contains(hash);
  }

  /** The weight of a subject with this hash. */
  public long weight(long hash) {
    return share.isWhole() || heavy.contains(hash) ? 1 : share.oneIn();
  }
}
