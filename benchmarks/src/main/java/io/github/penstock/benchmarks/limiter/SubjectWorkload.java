package io.github.penstock.benchmarks.limiter;

import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import org.apache.commons.math3.distribution.ZipfDistribution;
import org.apache.commons.math3.random.JDKRandomGenerator;

/** The load: the number of subjects, their frequencies, and whether they are allowed. */
public enum SubjectWorkload {
  /** 10,000 subjects, all equally often, always allowed. */
  ALLOWED(10_000),
  /** 10,000 subjects, all equally often, always denied. */
  DENIED(10_000),
  /** 10,000 subjects, the n-th of them 1/n as often as the first (Zipf), every second denied. */
  MIXED(10_000),
  /** One subject, always allowed. */
  HOT(1),
  /** One subject, always denied. */
  EXHAUSTED(1);

  private static final int DRAWS = 1 << 16;
  private static final String[] NAMES = new String[10_000];
  private final int subjects;

  static {
    Arrays.setAll(NAMES, subject -> String.format(Locale.ROOT, "user:%05d", subject));
  }

  SubjectWorkload(int subjects) {
    this.subjects = subjects;
  }

  /** The name of a subject, 10 bytes. */
  public static String name(int subject) {
    return NAMES[subject];
  }

  public String title() {
    return name().toLowerCase(Locale.ROOT);
  }

  public int subjects() {
    return subjects;
  }

  /** Returns whether a subject's calls are denied. */
  public boolean denied(int subject) {
    return switch (this) {
      case ALLOWED, HOT -> false;
      case DENIED, EXHAUSTED -> true;
      case MIXED -> subject % 2 == 0;
    };
  }

  /** A long sequence of subjects, to be walked round and round; its length is a power of two. */
  public int[] draws(long seed) {
    if (this != MIXED) {
      return new SplittableRandom(seed).ints(DRAWS, 0, subjects).toArray();
    }
    int[] ranks =
        new ZipfDistribution(new JDKRandomGenerator((int) seed), subjects, 1).sample(DRAWS);
    return Arrays.stream(ranks).map(rank -> rank - 1).toArray();
  }
}
