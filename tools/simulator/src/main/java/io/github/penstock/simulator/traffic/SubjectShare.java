package io.github.penstock.simulator.traffic;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

/**
 * A part of all subjects, chosen by a hash of their names: a subject is in it always or never.
 *
 * @param oneIn about how many subjects there are for each that is in it, 1 to {@value #MOST}
 * @param salt makes two parts independent of each other
 * @param rest which of the {@code oneIn} parts it is, from 0
 */
public record SubjectShare(long oneIn, long salt, long rest) {
  public static final SubjectShare ALL = new SubjectShare(1, 1, 0);

  private static final long MOST = 1_000_000;
  private static final long SALT_OF_PARTS = 3;
  private static final Pattern SHARE = Pattern.compile("1/([1-9]\\d{0,6})");

  /** Of {@code 1/N}, or {@code all}. Throws an IllegalArgumentException that names the rule. */
  public static SubjectShare of(String text) {
    if (text.equals("all")) {
      return ALL;
    }
    Matcher share = SHARE.matcher(text);
    if (!share.matches() || Long.parseLong(share.group(1)) > MOST) {
      throw new IllegalArgumentException(
          "'" + text + "' must be 1/N, such as 1/100, or all; N is from 1 to 1000000");
    }
    return ALL.oneIn(Long.parseLong(share.group(1)));
  }

  /** All subjects in this number of parts, each subject in one. */
  public static List<SubjectShare> parts(long number) {
    return LongStream.range(0, number)
        .mapToObj(rest -> new SubjectShare(number, SALT_OF_PARTS, rest))
        .toList();
  }

  /** As this, of another size. */
  public SubjectShare oneIn(long number) {
    return new SubjectShare(Math.min(number, MOST), salt, rest);
  }

  /** As large a part, of which as many are in this one as of all. */
  public SubjectShare independent() {
    return new SubjectShare(oneIn, salt + 1, rest);
  }

  /** Returns whether a subject is in it. */
  public boolean has(String subject) {
    return oneIn == 1 || has(hash(subject));
  }

  /** Returns whether a subject with this hash is in it. */
  public boolean has(long hash) {
    return oneIn == 1 || Long.remainderUnsigned(mixed(hash + salt), oneIn) == rest;
  }

  /** Returns whether it is everybody. */
  public boolean isWhole() {
    return oneIn == 1;
  }

  /** A hash of a name: FNV-1a over its characters, then the finish of SplitMix64. */
  public static long hash(String subject) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < subject.length(); i++) {
      hash = (hash ^ subject.charAt(i)) * 0x100000001b3L;
    }
    return mixed(hash);
  }

  private static long mixed(long hash) {
    long mixed = (hash ^ hash >>> 30) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94d049bb133111ebL;
    return mixed ^ mixed >>> 31;
  }

  @Override
  public String toString() {
    return "1/" + oneIn;
  }
}
