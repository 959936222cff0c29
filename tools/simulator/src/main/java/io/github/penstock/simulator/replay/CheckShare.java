package io.github.penstock.simulator.replay;

import io.github.penstock.simulator.traffic.SubjectShare;

/**
 * The decisions that the scripts make, too.
 *
 * @param subjects about whom
 * @param decisions the first ones of each of them, at least 1
 */
public record CheckShare(SubjectShare subjects, long decisions) {
  public static final CheckShare ALL = new CheckShare(SubjectShare.ALL, Long.MAX_VALUE);

  private static final long USUAL = 100_000;
  private static final long FEWEST_SUBJECTS = 100;
  private static final long FEWEST_DECISIONS = 100;

  /** All decisions about a part of the subjects, chosen independently of a sample. */
  public static CheckShare of(SubjectShare subjects) {
    return new CheckShare(subjects.independent(), Long.MAX_VALUE);
  }

  /**
   * About {@value #USUAL} decisions, of about {@value #FEWEST_SUBJECTS} subjects or more: one that
   * is loud does not use them up.
   *
   * @param limits that are played, at least one
   * @param requests of all subjects
   * @param subjects about how many there are
   */
  static CheckShare usual(int limits, long requests, long subjects) {
    long each = Math.max(1, USUAL / limits);
    if (requests <= each) {
      return ALL;
    }
    long oneIn = Math.max(1, Math.min(requests / each, subjects / FEWEST_SUBJECTS));
    SubjectShare share = SubjectShare.ALL.oneIn(oneIn).independent();
    return new CheckShare(share, Math.max(FEWEST_DECISIONS, each * oneIn / Math.max(1, subjects)));
  }

  /** Returns how many decisions about a subject the scripts make. */
  long of(String subject) {
    return subjects.has(subject) ? decisions : 0;
  }
}
