package io.github.penstock.benchmarks.compare;

import io.github.penstock.benchmarks.compare.Candidate.Allowance;

/**
 * The most of one subject that passed in any span of a tier's length, over all subjects. Not safe
 * for use by several threads.
 */
final class Peak {
  private final Allowance allowance;
  private long most;
  private long endUs;
  private String subject = "";
  private boolean exact = true;

  Peak(Allowance allowance) {
    this.allowance = allowance;
  }

  void see(long units, long timeUs, String who, boolean isExact) {
    if (units > most) {
      most = units;
      endUs = timeUs;
      subject = who;
      exact = isExact;
    }
  }

  /** The tier's limit. */
  Allowance allowance() {
    return allowance;
  }

  /** Units. */
  long most() {
    return most;
  }

  /** When the last request of the fullest span went ahead, in microseconds since 1970. */
  long endUs() {
    return endUs;
  }

  /** Whose span it was; empty if nothing passed. */
  String subject() {
    return subject;
  }

  /** False if the times had to be grouped to save memory, so that it is at most {@link #most}. */
  boolean exact() {
    return exact;
  }
}
